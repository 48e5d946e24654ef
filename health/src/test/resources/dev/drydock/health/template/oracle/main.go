// Executes templates with Go's own text/template: one JSON request per line, one JSON answer per line.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"text/template"
)

type Action int32

var names = map[Action]string{0: "NONE", 2: "COMPONENT_RESET", 15: "RESTART_VM", 27: "CUSTOM"}

func (a Action) String() string { return names[a] }

type Entity struct {
	EntityType  string
	EntityValue string
}

func (e *Entity) GetEntityValue() string { return e.EntityValue }

type Overrides struct {
	Force bool
	Skip  bool
}

type HealthEvent struct {
	Version           int
	CheckName         string
	IsFatal           bool
	IsHealthy         bool
	Message           string
	RecommendedAction Action
	ErrorCode         []string
	EntitiesImpacted  []*Entity
	Metadata          map[string]string
	NodeName          string
	DrainOverrides    *Overrides
}

func (e *HealthEvent) GetNodeName() string { return e.NodeName }

type Data struct {
	HealthEvent *HealthEvent
	EventID     string
	PodsToDrain map[string][]string
}

type Request struct {
	Template string
	Data     Data
}

type Answer struct {
	OK     bool
	Output string
	Error  string
}

func execute(request Request) Answer {
	parsed, err := template.New("t").Parse(request.Template)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	var out strings.Builder
	if err := parsed.Execute(&out, request.Data); err != nil {
		return Answer{Error: err.Error()}
	}
	return Answer{OK: true, Output: out.String()}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for in.Scan() {
		var request Request
		if err := json.Unmarshal(in.Bytes(), &request); err != nil {
			panic(err)
		}
		encoder.Encode(execute(request))
	}
}
