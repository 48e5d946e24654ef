# drydock completion for bash: source <(drydock completion bash)
_drydock_complete() {
  local word previous='' cur line directive
  local -a words=() answer
  # bash splits "--flag=value" at the "=": the program gets it whole
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ($word == "=" || $previous == "=") ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    previous=$word
  done
  COMPREPLY=()
  mapfile -t answer < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
  [ ${#answer[@]} -gt 0 ] || return
  directive=${answer[-1]}
  unset 'answer[-1]'
  cur=${words[-1]}
  for line in "${answer[@]}"; do
    COMPREPLY+=("${line%%$'\t'*}")
  done
  # and it replaces only what follows the "="
  if [[ $cur != "${COMP_WORDS[COMP_CWORD]}" ]]; then
    cur=${cur#*=}
    COMPREPLY=("${COMPREPLY[@]#*=}")
  fi
  if [ ${#COMPREPLY[@]} -eq 0 ] && [ "$directive" = ":0" ]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -F _drydock_complete drydock ./drydock
