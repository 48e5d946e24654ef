#compdef drydock
# drydock completion for zsh: source <(drydock completion zsh)
_drydock() {
  local -a answer candidates
  local line directive
  answer=("${(@f)$("${words[1]}" __complete "${(@)words[2,$CURRENT]}" 2>/dev/null)}")
  (( ${#answer} )) || return
  directive=${answer[-1]}
  for line in "${(@)answer[1,-2]}"; do
    candidates+=("${${line//:/\\:}/$'\t'/:}")
  done
  if (( ${#candidates} )); then
    _describe -t commands drydock candidates
  elif [[ $directive == ":0" ]]; then
    _files
  fi
}
compdef _drydock drydock
