package scene

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/internal/disk"
)

// sceneName is the file with the scene of a run. It begins with Head; a file of this name that does not belongs to the user.
const sceneName = "scene.toml"

// Head is the first line of the scene that a run keeps in its folder.
const Head = "# The scene as it was run, with the values that were set. A run of scree has written this file.\n"

// checkScene leaves a scene.toml alone that no run has written, and rejects it if the run has values that are set.
func (f *folder) checkScene() error {
	content, err := os.ReadFile(f.path(sceneName))
	foreign := !errors.Is(err, fs.ErrNotExist) && !bytes.HasPrefix(content, []byte(Head))
	if f.keepScene = foreign || f.r.s.text == nil; !foreign || len(f.r.s.at.given) == 0 {
		return nil
	}
	return &fault{file: f.path(sceneName), what: "is a scene that no run has written, expected another folder for a run with values that are set", cause: err}
}

// stageScene writes the scene as run under a temporary name.
func (f *folder) stageScene() error {
	if f.keepScene {
		return nil
	}
	return f.stage(sceneName, func(path string) error {
		return fileio.WriteFile(path, func(w io.Writer) error {
			_, err := w.Write(f.r.s.text)
			return err
		})
	})
}

// Done looks in the folder dir for a run of the scene file at path with values set, as for Load. It returns the summary of
// a complete run, or the checkpoint of an interrupted one, from which Run can go on there. It compares the text of the
// scenes, but neither the meshes nor the checkpoints that the runs start from. Errors in keys and values wrap ErrInput;
// nothing is written.
func Done(path, dir string, sets ...string) (summary *Summary, checkpoint string, err error) {
	var s *Scene
	err = open(path, func(file io.Reader) error {
		s, _, err = read(file, path, filepath.Dir(path), sets)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, sceneName))
	if err != nil || !bytes.Equal(text, s.text) {
		return nil, "", nil
	}
	var found Summary
	text, err = os.ReadFile(filepath.Join(dir, summaryName))
	if err != nil || json.Unmarshal(text, &found) != nil || found.Error != "" {
		return nil, "", nil
	}
	if !found.Interrupted {
		return &found, "", nil
	}
	if checkpoint = filepath.Join(dir, CheckpointName(found.Steps)); disk.Regular(checkpoint) != nil {
		checkpoint = ""
	}
	return nil, checkpoint, nil
}
