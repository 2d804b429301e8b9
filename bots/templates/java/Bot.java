import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bot that plays a random legal action. Change `act` to make it your own.
 *
 * The referee writes one JSON object per line to the bot's stdin and reads the answers from its
 * stdout. Output on stderr goes to the bot's log. This bot extracts only the fields that it needs.
 * To read the view, use a JSON library; the rules of the game describe its fields.
 */
public class Bot {
    /** Return one of the legal actions; `dice` are the same when the same game is played again. */
    static String act(String[] legal, Random dice) {
        return legal[dice.nextInt(legal.length)];
    }

    /** Return the number of a field; 0 if there is none. */
    static long number(String line, String field) {
        Matcher found = Pattern.compile("\"" + field + "\":(\\d+)").matcher(line);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    /** Return the legal actions. The view may have a field of that name before. */
    static String[] legal(String line) {
        String name = "\"legal\":[\"";
        int at = line.lastIndexOf(name) + name.length();
        return line.substring(at, line.indexOf("\"]", at)).split("\",\"");
    }

    public static void main(String[] arguments) throws IOException {
        Map<Long, Random> dice = new HashMap<>();
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(input);
        for (String line; (line = lines.readLine()) != null; ) {
            long table = number(line, "table");
            if (line.startsWith("{\"type\":\"hello\"")) {
                System.out.println("{\"type\":\"ready\",\"protocol\":1}");
            } else if (line.startsWith("{\"type\":\"start\"")) {
                dice.put(table, new Random(number(line, "seed")));
            } else if (line.startsWith("{\"type\":\"turn\"")) {
                String action = act(legal(line), dice.get(table));
                System.out.println("{\"type\":\"act\",\"table\":" + table + ",\"turn\":"
                        + number(line, "turn") + ",\"action\":\"" + action + "\"}");
            } else if (line.startsWith("{\"type\":\"bye\"")) {
                return;
            }
            System.out.flush();
        }
    }
}
