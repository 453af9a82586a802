// The shell script that makes Tab call gameconfctl.

/// The completion script for a shell. It only calls `gameconfctl complete`: the candidates come from the program and the daemon.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  private static let bashText = #"""
    # Completion of gameconfctl in bash.
    _gameconfctl() {
      local program=${COMP_WORDS[0]/#\~/$HOME} line at word rest=${COMP_LINE#"${COMP_WORDS[0]}"} words=() prefix= mark
      COMPREPLY=()
      # Bash parts words at : and = too, and puts its reply in the place of the last part only.
      for ((at = 1; at <= COMP_CWORD; at++)); do
        word=${COMP_WORDS[at]}
        if [[ $rest == [[:space:]]* || ${#words[@]} -eq 0 ]]; then
          words+=("$word")
          rest=${rest#"${rest%%[![:space:]]*}"}
        else
          words[${#words[@]}-1]+=$word
        fi
        rest=${rest#"$word"}
      done
      word=${words[${#words[@]}-1]}
      for mark in : =; do
        if [[ $COMP_WORDBREAKS == *"$mark"* && $word == *"$mark"* ]]; then
          line=${word%"${word##*"$mark"}"}
          if [ ${#line} -gt ${#prefix} ]; then prefix=$line; fi
        fi
      done
      while IFS= read -r line; do
        if [ "$line" = $'\tfile' ]; then
          compopt -o default
          return
        fi
        line=${line%%$'\t'*}
        COMPREPLY+=("${line#"$prefix"}")
      done < <("$program" complete "${#words[@]}" -- "${words[@]}" 2>/dev/null)
    }
    complete -F _gameconfctl gameconfctl

    """#

  private static let zshText = #"""
    #compdef gameconfctl
    # Completion of gameconfctl in zsh.
    _gameconfctl() {
      local line
      local -a offers
      while IFS= read -r line; do
        if [[ $line == $'\tfile' ]]; then
          _files
          return
        fi
        offers+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
      done < <(${(Q)words[1]} complete $((CURRENT - 1)) -- "${(@Q)words[2,-1]}" 2>/dev/null)
      _describe -V 'gameconfctl' offers
    }
    if [[ $funcstack[1] == _gameconfctl ]]; then
      _gameconfctl "$@"
    else
      compdef _gameconfctl gameconfctl
    fi

    """#

  private static let fishText = #"""
    # Completion of gameconfctl in fish.
    function __gameconfctl_complete
      set -l words (commandline -opc)
      set -l offers (command $words[1] complete (count $words) -- $words[2..-1] (commandline -ct) 2>/dev/null)
      if test "$offers[1]" = \tfile
        __fish_complete_path (commandline -ct)
      else
        string join -- \n $offers
      end
    end
    complete -c gameconfctl -f -a '(__gameconfctl_complete)'

    """#
}
