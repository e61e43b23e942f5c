package main

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
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
	return string(content), err == nil
}

// helpCommand makes the command that explains topics and commands.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:     "help [TOPIC | COMMAND]",
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
	if len(args) == 1 {
		text, isTopic = topic(args[0])
	}
	c, rest, err := root.Find(args)
	isCommand := err == nil && len(rest) == 0 && c != root
	if isCommand && c.Hidden {
		return usage("%s is not available in this release (%s)", c.CommandPath(), release)
	}
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
