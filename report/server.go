package report

import (
	"compress/flate"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Server sends the page of a run, and its frames one by one, to browsers on this machine. It only reads the folder. The
// address holds a secret, so other users of the machine and pages of other origins have no access.
type Server struct {
	dir      string
	every    int64
	token    string
	listener net.Listener

	mu  sync.Mutex // guards old
	old *bool      // the frames have no poses; nil: not known
}

// NewServer listens on a port of the loopback interface; 0 is any free port. The folder dir need not exist yet. Of bodies,
// only those whose number everyBody divides are shown.
func NewServer(dir string, port int, everyBody int64) (*Server, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	return &Server{dir: dir, every: max(everyBody, 1), token: rand.Text(), listener: listener}, nil
}

// Address returns the address of the page.
func (s *Server) Address() string { return fmt.Sprintf("http://%s/%s/", s.listener.Addr(), s.token) }

// Serve answers requests until the context ends. Then it returns nil.
func (s *Server) Serve(ctx context.Context) error {
	server := http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler returns what answers requests.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	base := "GET /" + s.token + "/"
	mux.HandleFunc(base+"{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // The browser may be gone.
	})
	mux.HandleFunc(base+"head", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(s.head())
	})
	chunk := func(pattern string, make func(f *Folder, r *http.Request) ([]byte, error)) {
		mux.HandleFunc(base+pattern, func(w http.ResponseWriter, r *http.Request) {
			f, err := Open(s.dir, s.every)
			var data []byte
			if err == nil {
				data, err = make(f, r)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusNotFound)
				return
			}
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = w.Write(data)
		})
	}
	chunk("history", func(f *Folder, _ *http.Request) ([]byte, error) {
		data, _ := historyChunk(f.dir, f.titles, flate.BestSpeed) // The last row may be half written.
		return data, nil
	})
	chunk("frame/{k}", func(f *Folder, r *http.Request) ([]byte, error) {
		k, err := f.numberOf(r)
		if err != nil {
			return nil, err
		}
		_, data, err := f.frameChunk(k, flate.BestSpeed, true)
		return data, err
	})
	chunk("forms/{k}", func(f *Folder, r *http.Request) ([]byte, error) {
		k, err := f.numberOf(r)
		if err != nil {
			return nil, err
		}
		fr, err := f.readFrame(k)
		if err != nil {
			return nil, err
		}
		from, _ := strconv.Atoi(r.URL.Query().Get("from")) // none: all
		shown := forms{fine: fr.fine()}
		if err := fr.addForms(&shown, map[int64]bool{}, from); err != nil {
			return nil, err
		}
		return shown.chunk(flate.BestSpeed)
	})
	host := s.listener.Addr().String()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A page of another origin may not read, nor a name that was made to mean this machine.
		if origin := r.Header.Get("Origin"); r.Host != host || origin != "" && origin != "http://"+host {
			http.Error(w, "another origin", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		mux.ServeHTTP(w, r)
	})
}

// head returns the head of the page, also of a folder in which the run has not begun.
func (s *Server) head() *head {
	f, err := Open(s.dir, s.every)
	if err != nil {
		f = &Folder{dir: s.dir}
		f.note("there is no run, or it has not begun: " + err.Error())
	}
	s.mu.Lock()
	if s.old == nil && len(f.frames) > 0 {
		_, err := f.readFrame(0)
		s.old = new(bool)
		*s.old = errors.Is(err, errOld)
	}
	if s.old != nil && *s.old {
		f.dropFrames()
	}
	s.mu.Unlock()
	h := f.head()
	h.Live = true
	return h
}

// numberOf returns the number of the frame that a request asks for.
func (f *Folder) numberOf(r *http.Request) (int, error) {
	k, err := strconv.Atoi(r.PathValue("k"))
	if err != nil || k < 0 || k >= len(f.frames) {
		return 0, fmt.Errorf("frame %q, expected 0 to %d", r.PathValue("k"), len(f.frames)-1)
	}
	return k, nil
}
