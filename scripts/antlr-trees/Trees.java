// Parses the examples of ANTLR grammars with ANTLR itself, for `scripts/antlr`.
//
//     Trees FOLDER OUT [NAME...]
//
// Writes the tree of each example that has no errors to OUT, one node in a line, and prints a line
// for each example.

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.antlr.v4.Tool;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LexerGrammar;

public class Trees {
    static class Counting extends BaseErrorListener {
        int errors = 0;

        @Override
        public void syntaxError(Recognizer<?, ?> r, Object symbol, int line, int column, String message, RecognitionException e) {
            errors++;
        }
    }

    public static void main(String[] args) throws Exception {
        Path root = Paths.get(args[0]);
        Path out = Paths.get(args[1]);
        List<String> only = Arrays.asList(args).subList(2, args.length);
        List<String> lines = Files.readAllLines(root.resolve("INDEX.tsv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] fields = line.split("\t");
            if (!only.isEmpty() && !only.contains(fields[0])) {
                continue;
            }
            try {
                grammar(root.resolve(fields[0]), fields[1], fields[2], out.resolve(fields[0]));
            } catch (Throwable e) {
                System.out.println(fields[0] + "\tload\t" + e);
            }
        }
        System.exit(0);
    }

    static void grammar(Path folder, String name, String start, Path out) throws Exception {
        Path work = Files.createTempDirectory("antlr");
        Path lexerFile = folder.resolve(name + "Lexer.g4");
        Path parserFile = folder.resolve(name + "Parser.g4");
        Grammar parser;
        Grammar lexer;
        String[] options = {"-o", work.toString(), "-lib", folder.toString(), "-Xexact-output-dir"};
        if (Files.exists(parserFile)) {
            // The parser needs the numbers of the tokens, which the tool writes for the lexer.
            for (File file : folder.toFile().listFiles()) {
                Files.copy(file.toPath(), work.resolve(file.getName()));
            }
            String[] own = {"-o", work.toString(), "-lib", work.toString(), "-Xexact-output-dir", work.resolve(lexerFile.getFileName()).toString()};
            Tool tool = new Tool(own);
            tool.processGrammarsOnCommandLine();
            Tool second = new Tool(new String[] {"-o", work.toString(), "-lib", work.toString()});
            lexer = second.loadGrammar(work.resolve(lexerFile.getFileName()).toString());
            parser = second.loadGrammar(work.resolve(parserFile.getFileName()).toString());
        } else {
            Tool tool = new Tool(options);
            parser = tool.loadGrammar(folder.resolve(name + ".g4").toString());
            lexer = parser.getImplicitLexer();
        }
        if (parser == null || lexer == null || parser.getRule(start) == null) {
            System.out.println(folder.getFileName() + "\tload\tno grammar or no start rule");
            return;
        }
        File[] examples = folder.resolve("examples").toFile().listFiles();
        Arrays.sort(examples);
        ExecutorService pool = Executors.newSingleThreadExecutor(r -> {
            Thread thread = new Thread(null, r, "parse", 1L << 29);
            thread.setDaemon(true);
            return thread;
        });
        for (File example : examples) {
            String label = folder.getFileName() + "/" + example.getName();
            final Grammar p = parser;
            final Grammar l = lexer;
            Future<String> future = pool.submit(() -> one(p, l, start, example, out));
            try {
                System.out.println(label + "\t" + future.get(60, TimeUnit.SECONDS));
            } catch (Exception e) {
                future.cancel(true);
                pool = Executors.newSingleThreadExecutor();
                System.out.println(label + "\tfail\t" + e);
            }
        }
    }

    static String one(Grammar parser, Grammar lexer, String start, File example, Path out) throws Exception {
        byte[] bytes = Files.readAllBytes(example.toPath());
        Counting counting = new Counting();
        LexerInterpreter lexing = lexer.createLexerInterpreter(CharStreams.fromString(new String(bytes, StandardCharsets.UTF_8)));
        lexing.removeErrorListeners();
        lexing.addErrorListener(counting);
        CommonTokenStream tokens = new CommonTokenStream(lexing);
        ParserInterpreter parsing = parser.createParserInterpreter(tokens);
        parsing.removeErrorListeners();
        parsing.addErrorListener(counting);
        long began = System.nanoTime();
        ParseTree tree = parsing.parse(parser.getRule(start).index);
        double took = (System.nanoTime() - began) / 1e9;
        if (counting.errors > 0) {
            return "errors\t" + counting.errors;
        }
        // The start rule may end before the text does.
        boolean whole = tokens.LA(1) == Token.EOF;
        StringBuilder text = new StringBuilder();
        show(tree, parser.getRuleNames(), text);
        Files.createDirectories(out);
        Files.write(out.resolve(example.getName()), text.toString().getBytes(StandardCharsets.UTF_8));
        return (whole ? "parses" : "prefix") + "\t" + took;
    }

    static void show(ParseTree tree, String[] rules, StringBuilder out) {
        if (tree instanceof TerminalNode) {
            String text = ((TerminalNode) tree).getText();
            out.append(text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")).append('\n');
            return;
        }
        out.append('(').append(rules[((RuleContext) tree).getRuleIndex()]).append('\n');
        for (int i = 0; i < tree.getChildCount(); i++) {
            show(tree.getChild(i), rules, out);
        }
        out.append(")\n");
    }
}
