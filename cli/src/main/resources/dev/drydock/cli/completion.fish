# drydock completion for fish: drydock completion fish | source
function __drydock_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l answer ($words[1] __complete $words[2..-1] 2>/dev/null)
    test (count $answer) -gt 0; or return
    set -l directive $answer[-1]
    set -e answer[-1]
    if test (count $answer) -eq 0; and test $directive = ":0"
        __fish_complete_path (commandline -ct)
    else
        printf '%s\n' $answer
    end
end
complete -c drydock -f -a '(__drydock_complete)'
