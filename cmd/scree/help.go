package main

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/scree-dem/scree/internal/keys"
	"github.com/scree-dem/scree/scene"
)

//go:embed topics/*.txt
var topicFiles embed.FS

// topics returns the names of the help topics.
func topics() []string {
	var names []string
	entries, err := fs.ReadDir(topicFiles, "topics")
	if err != nil {
		panic("scree: " + err.Error()) // The texts are embedded in the program.
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return names
}

func topic(name string) (text string, ok bool) {
	content, err := topicFiles.ReadFile("topics/" + name + ".txt")
	return strings.Replace(string(content), "KEYS\n", strings.TrimPrefix(sceneKeys(strings.TrimPrefix(name, "scene")), "\n"), 1), err == nil
}

// helpCommand makes the command that explains topics and commands.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:     "help [TOPIC | COMMAND | scene TABLE]",
		Short:   "Explain a command or a topic: " + strings.Join(topics(), ", "),
		Example: "  scree help scene",
		RunE:    func(_ *cobra.Command, args []string) error { return a.help(root, args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names := topics()
			for _, c := range root.Commands() {
				if !c.Hidden && !slices.Contains(names, c.Name()) {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	return c
}

func (a *app) help(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		if err := root.Help(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(a.stdout, "\nTopics: %s (scree help TOPIC)\n", strings.Join(topics(), ", "))
		return err
	}
	text, isTopic := "", false
	switch {
	case len(args) == 1:
		text, isTopic = topic(args[0])
	case len(args) == 2 && args[0] == "scene":
		if text = strings.TrimPrefix(sceneKeys(args[1]), "\n"); text == "" {
			return usage("%q is no table of a scene, expected %s", args[1], keys.Joined(sceneTables(), " or "))
		}
		isTopic = true
	}
	c, rest, err := root.Find(args)
	isCommand := err == nil && len(rest) == 0 && c != root
	if !isTopic && !isCommand {
		return usage("%q is neither a topic nor a command, expected one of the topics %s", strings.Join(args, " "), strings.Join(topics(), ", "))
	}
	if isTopic {
		if _, err := fmt.Fprint(a.stdout, text); err != nil {
			return err
		}
		if !isCommand {
			return nil
		}
		fmt.Fprint(a.stdout, "\n")
	}
	c.InitDefaultHelpFlag()
	return c.Help()
}

// sceneKeys returns the keys of the tables of a scene whose heading has the name, or of all tables for "".
func sceneKeys(name string) string {
	const columns, indent = 100, "                        "
	var text strings.Builder
	for _, t := range scene.KeyTables() {
		if plain := plainTable(t.Name); name != "" && name != plain && !strings.HasPrefix(plain, name+".") {
			continue
		}
		fmt.Fprintf(&text, "\n%s\n", strings.TrimPrefix(t.Name+"  "+t.Doc, "  "))
		for _, r := range t.Rows {
			facts := []string{r.Unit, r.Accepts, strings.Replace("default "+r.Default, "default required", "required", 1)}
			facts = slices.DeleteFunc(facts, func(s string) bool { return s == "" || s == "default " })
			line := fmt.Sprintf("%-*s", len(indent), "  "+r.Key)
			for _, word := range strings.Fields(strings.TrimPrefix("("+strings.Join(facts, "; ")+") "+r.Meaning, "() ")) {
				if utf8.RuneCountInString(line+word) > columns {
					fmt.Fprintln(&text, strings.TrimRight(line, " "))
					line = indent
				}
				line += word + " "
			}
			fmt.Fprintln(&text, strings.TrimRight(line, " "))
		}
	}
	return text.String()
}

// plainTable returns the name in the heading of a table of a scene.
func plainTable(heading string) string {
	return strings.TrimSuffix(strings.Trim(heading, "[]"), ".NAME")
}

// sceneTables returns the names of the tables that are in no other table, in the order of the file.
func sceneTables() (names []string) {
	for _, t := range scene.KeyTables() {
		if name := plainTable(t.Name); name != "" && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	return names
}
