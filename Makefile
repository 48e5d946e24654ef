# Shortcuts for LifecycleEvents; for everything else use ./drydock.
DRIVER ?= drain.slm.k8s.io
KUBECTL ?= kubectl
# follows an event to its end, whose result is the exit code; WAIT=false returns when it is created
WAIT ?= true
NO_WAIT = $(if $(filter false,$(WAIT)),--no-wait)

.PHONY: build drain maintenance-complete clean

build: ## builds, and makes bin/drain-driver: the driver under its own name
	./drydock version
	mkdir -p bin
	printf '#!/bin/sh\nexec "$$(dirname "$$0")/../drydock" lifecycle driver "$$@"\n' > bin/drain-driver
	chmod +x bin/drain-driver

drain: ## make drain NODE=worker-1: drains the Pods from worker-1
	@test -n "$(NODE)" || { echo 'Usage: make drain NODE=<node-name>' >&2; exit 2; }
	./drydock lifecycle drain "$(NODE)" $(NO_WAIT)

maintenance-complete: ## make maintenance-complete NODE=worker-1: returns the Node from maintenance
	@test -n "$(NODE)" || { echo 'Usage: make maintenance-complete NODE=<node-name>' >&2; exit 2; }
	./drydock lifecycle uncordon "$(NODE)" $(NO_WAIT)

clean: ## deletes the driver's two LifecycleTransitions; the next start of a driver publishes them again
	$(KUBECTL) delete lifecycletransitions "$(DRIVER)" "$(DRIVER)-uncordon" --ignore-not-found
