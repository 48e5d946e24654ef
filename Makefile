# Shortcuts for LifecycleEvents; for everything else use ./drydock.
.PHONY: drain maintenance-complete

drain: ## make drain NODE=worker-1: drains the Pods from worker-1
	@test -n "$(NODE)" || { echo 'which node? make drain NODE=worker-1' >&2; exit 2; }
	./drydock lifecycle drain "$(NODE)"

maintenance-complete: ## make maintenance-complete NODE=worker-1: returns the Node from maintenance
	@test -n "$(NODE)" || { echo 'which node? make maintenance-complete NODE=worker-1' >&2; exit 2; }
	./drydock lifecycle uncordon "$(NODE)"
