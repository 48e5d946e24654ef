# Shortcuts; for everything else use ./drydock, and mvn to build and test.
DRIVER ?= drain.slm.k8s.io
KUBECTL ?= kubectl
DOCKER ?= docker
# follows an event to its end, whose result is the exit code; WAIT=false returns when it is created
WAIT ?= true
NO_WAIT = $(if $(filter false,$(WAIT)),--no-wait)
# without tests and checks, in folders of its own
COMMIT = $(or $(shell git rev-parse HEAD 2>/dev/null),unknown)
PACKAGE = mvn -B -ntp -q -T 2 -Ddrydock.commit=$(COMMIT) -Dmaven.test.skip -Dunchecked -Dcyclonedx.skip=false -Dimage.required=true -am package

.PHONY: build drain maintenance-complete clean image docker-build release

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

image: ## target/drydock-VERSION.oci.tar: the container image
	$(PACKAGE) -pl image

docker-build: ## make docker-build IMG=registry.example/drydock:1: the same in Docker, under that name
	@test -n "$(IMG)" || { echo 'Usage: make docker-build IMG=<name>:<tag>' >&2; exit 2; }
	@command -v "$(DOCKER)" >/dev/null || { echo 'error: no docker here: make image builds the image without it' >&2; exit 1; }
	@"$(DOCKER)" version >/dev/null 2>&1 || { echo 'error: the Docker daemon does not answer: start it, or use make image, which needs none' >&2; exit 1; }
	$(MAKE) image
	"$(DOCKER)" tag "$$("$(DOCKER)" load -q -i "$$(ls -t target/drydock-*.oci.tar | head -n 1)" | sed 's/^Loaded image: //')" "$(IMG)"

release: ## target/release: program, image, manifests, CRDs, SBOM, checksums
	$(PACKAGE) -Drelease.skip=false -pl release
