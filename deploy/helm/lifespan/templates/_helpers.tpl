{{- define "lifespan.labels" -}}
app.kubernetes.io/name: lifespan
{{- end }}
