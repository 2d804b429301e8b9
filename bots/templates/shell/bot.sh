# A bot that plays the first legal action. Change `act` to make it your own.
#
# The referee writes one JSON object per line to the bot's stdin and reads the answers from its
# stdout. Output on stderr goes to the bot's log. This bot extracts the fields that it needs with
# the shell itself, because starting a program such as jq for every line is slow.

# Print one of the legal actions, which are the arguments.
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
        legal=${line##*\"legal\":[\"} legal=${legal%%\"]*} # the last one, because the view may contain the same name
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
