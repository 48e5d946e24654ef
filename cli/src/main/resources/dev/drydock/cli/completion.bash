# drydock completion for bash: source <(drydock completion bash)
_drydock_complete() {
  local cur=${COMP_WORDS[COMP_CWORD]} line directive
  local -a answer
  mapfile -t answer < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [ ${#answer[@]} -gt 0 ] || return
  directive=${answer[-1]}
  unset 'answer[-1]'
  COMPREPLY=()
  for line in "${answer[@]}"; do
    line=${line%%$'\t'*}
    # bash splits words at "=": complete only what follows it
    [[ $cur == "=" || ${COMP_WORDS[COMP_CWORD-1]} == "=" ]] && line=${line#*=}
    COMPREPLY+=("$line")
  done
  if [ ${#COMPREPLY[@]} -eq 0 ] && [ "$directive" = ":0" ]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -F _drydock_complete drydock ./drydock
