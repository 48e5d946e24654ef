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

PLATFORMS ?= linux/amd64
MVN = mvn -B -ntp

DEMO_STEPS = setup show-cluster inject-health-event verify-drain cleanup demo

.PHONY: $(DEMO_STEPS) help build drain maintenance-complete clean image docker-build docker-buildx release test test-e2e lint manifests generate helm-sync

build: ## builds, and makes bin/drain-driver: the driver under its own name
	./drydock version
	mkdir -p bin
	printf '#!/bin/sh\nexec "$$(dirname "$$0")/../drydock" lifecycle driver "$$@"\n' > bin/drain-driver
	chmod +x bin/drain-driver

help: ## lists the targets
	@grep -hE '^[a-z0-9-]+:.* ## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z0-9-]+):[^#]*## (.*)/\1 \2/' | while read -r target text; do printf '  %-22s %s\n' "$$target" "$$text"; done
	@printf '  %-22s %s\n' 'setup, demo, cleanup' 'the custom drain of demos/local-slinky-drain-demo, step by step; see its README'

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

docker-buildx: ## make docker-buildx IMG=registry.example/drydock:1: builds for PLATFORMS, and pushes; today linux/amd64 only
	@test -n "$(IMG)" || { echo 'Usage: make docker-buildx IMG=<name>:<tag>' >&2; exit 2; }
	@test "$(PLATFORMS)" = linux/amd64 || { echo 'error: PLATFORMS=$(PLATFORMS): the image is built for linux/amd64 only' >&2; exit 2; }
	$(MAKE) docker-build IMG="$(IMG)"
	"$(DOCKER)" push "$(IMG)"

test: ## tests without a cluster
	$(MVN) test

test-e2e: ## tests on a real control plane, which is required
	DRYDOCK_REQUIRE_CLUSTER=true $(MVN) verify -Dgroups=cluster -Dsurefire.failIfNoTests=false

lint: ## format, Error Prone, dependencies
	$(MVN) process-test-classes

manifests: ## CRDs, then charts/slingshot-operator, config and dist/install.yaml, which are made from deploy and the chart's templates
	$(MVN) -q test -pl contracts -Dtest=CrdFilesTest -Dcrds.write=true
	$(MVN) -q test -pl app -am -Dtest=SlingshotManifestsTest -Dmanifests.write=true -Dsurefire.failIfNoSpecifiedTests=false

generate: manifests

helm-sync: ## the CRDs of the chart alone
	for crd in charts/slingshot-operator/crds/*.yaml; do cp "deploy/crds/$${crd##*/}" "$$crd"; done

$(DEMO_STEPS): ## make demo: the custom drain of demos/local-slinky-drain-demo; make setup, verify-drain, ...: one step of it
	@$(MAKE) --no-print-directory -C demos/local-slinky-drain-demo $@

release: ## target/release: program, image, manifests, CRDs, SBOM, checksums
	$(PACKAGE) -Drelease.skip=false -pl release
