{{- define "slingshot.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "slingshot.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "slingshot.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "slingshot.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "slingshot.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "slingshot.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "slingshot.selector" -}}
app.kubernetes.io/name: {{ include "slingshot.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "slingshot.labels" -}}
{{ include "slingshot.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "slingshot.image" -}}
{{- if hasPrefix "ghcr.io/sielicki/slingshot-operator" .Values.image.repository }}
{{- fail (printf "image.repository: %s has another command line than this chart starts; give the image of Drydock" .Values.image.repository) }}
{{- end }}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}

{{- define "slingshot.secret" -}}
{{ include "slingshot.fullname" . }}-webhook-server-cert
{{- end }}

{{- /* "true" if cert-manager issues the certificates */ -}}
{{- define "slingshot.certManager" -}}
{{- if and .Values.webhook.certManager.enabled (.Capabilities.APIVersions.Has "cert-manager.io/v1") }}true{{ end }}
{{- end }}

{{- define "slingshot.ownIssuer" -}}
{{- if eq .Values.webhook.certManager.issuerRef.name "selfsigned-issuer" }}true{{ end }}
{{- end }}

{{- /* A file of the chart, whose names are those of Drydock's own installation */ -}}
{{- define "slingshot.file" -}}
{{- $name := include "slingshot.fullname" .root }}
{{- .root.Files.Get .file | replace "drydock-system" .root.Release.Namespace | replace "pika-server-cert" (include "slingshot.secret" .root) | replace "slingshot-operator-cxidriver" (printf "%s-cxidriver" $name) | trim }}
{{- end }}
