# A bot that plays the first legal action. Change `act`, and it is yours.
#
# The referee writes one JSON object a line to the bot's stdin and reads the answers from its
# stdout; what is written to stderr goes to the bot's log. This bot cuts out of a line only what
# it needs: the shell's own means are quick, a program such as jq would have to be started for
# every line.

# Print one of the legal actions, which are given as arguments.
act() {
    printf %s "$1"
}

while IFS= read -r line; do
    case $line in
    '{"type":"hello"'*)
        echo '{"type":"ready","protocol":1}'
        ;;
    '{"type":"turn"'*)
        table=${line#*\"table\":} table=${table%%,*}
        turn=${line#*\"turn\":} turn=${turn%%,*}
        legal=${line##*\"legal\":[\"} legal=${legal%%\"]*} # the last `legal`: a view may have one
        set --
        while [ "$legal" != "${legal#*\",\"}" ]; do
            set -- "$@" "${legal%%\",\"*}"
            legal=${legal#*\",\"}
        done
        set -- "$@" "$legal"
        echo "{\"type\":\"act\",\"table\":$table,\"turn\":$turn,\"action\":\"$(act "$@")\"}"
        ;;
    '{"type":"bye"'*)
        exit
        ;;
    esac
done
