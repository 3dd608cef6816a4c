{{/* Name of everything that the release makes. */}}
{{- define "bey.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What selects the pods of a part: list of the root and the name of the part. */}}
{{- define "bey.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
{{- with index . 1 }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "bey.labels" -}}
{{- $root := index . 0 -}}
{{ include "bey.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The part that answers people. */}}
{{- define "bey.front" -}}
{{- if .Values.database.embedded }}all{{ else }}web{{ end }}
{{- end }}

{{/* Host of publicUrl, without its port. */}}
{{- define "bey.host" -}}
{{- .Values.publicUrl | trimPrefix "https://" | trimPrefix "http://" | splitList ":" | first -}}
{{- end }}

{{/* Template of a pod. Dict: root, role (all, web or worker), volume: how its data is kept. */}}
{{- define "bey.pod" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $drain := ternary 5 $values.worker.drainSeconds (eq .role "web") -}}
metadata:
  labels:
    {{- include "bey.labels" (list $root .role) | nindent 4 }}
  {{- with $values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "bey.name" $root }}
  # Bey reaches clusters by the credentials that people give it, never by its own account.
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: {{ add $drain 10 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: bey
      image: {{ printf "%s:%s" $values.image.repository (default $root.Chart.AppVersion $values.image.tag) | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      env:
        - name: BEY_ROLE
          value: {{ .role }}
        - name: BEY_PUBLIC_URL
          value: {{ $values.publicUrl | quote }}
        - name: BEY_DRAIN_SECONDS
          value: {{ $drain | quote }}
        {{- with $values.trustedProxies }}
        - name: BEY_TRUSTED_PROXIES
          value: {{ . | quote }}
        {{- end }}
        {{- if or $values.transit.url $values.kms.key }}
        - name: BEY_SECRET_KEY_WRAPPED
          valueFrom:
            secretKeyRef:
              name: {{ $values.existingSecret }}
              key: secret-key-wrapped
        {{- end }}
        {{- if $values.kms.key }}
        - name: BEY_KMS_KEY
          value: {{ $values.kms.key | quote }}
        {{- with $values.kms.region }}
        - name: BEY_KMS_REGION
          value: {{ . | quote }}
        {{- end }}
        {{- else if $values.transit.url }}
        - name: BEY_TRANSIT_URL
          value: {{ $values.transit.url | quote }}
        - name: BEY_TRANSIT_MOUNT
          value: {{ $values.transit.mount | quote }}
        - name: BEY_TRANSIT_KEY
          value: {{ $values.transit.key | quote }}
        - name: BEY_TRANSIT_NAMESPACE
          value: {{ $values.transit.namespace | quote }}
        {{- if $values.transit.tokenFile }}
        - name: BEY_TRANSIT_TOKEN_FILE
          value: {{ $values.transit.tokenFile | quote }}
        {{- else }}
        - name: BEY_TRANSIT_TOKEN
          valueFrom:
            secretKeyRef:
              name: {{ $values.existingSecret }}
              key: transit-token
              optional: true
        {{- end }}
        {{- if $values.transit.privateCa }}
        - name: BEY_TRANSIT_CA_FILE
          value: /etc/bey/transit-ca/ca.pem
        {{- end }}
        {{- else }}
        - name: BEY_SECRET_KEY
          valueFrom:
            secretKeyRef:
              name: {{ $values.existingSecret }}
              key: secret-key
        {{- end }}
        {{- if ne .role "all" }}
        - name: DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ $values.existingSecret }}
              key: database-url
        {{- end }}
        {{- if and $values.sharedWatches.enabled (ne .role "all") }}
        - name: POD_IP
          valueFrom:
            fieldRef:
              fieldPath: status.podIP
        - name: BEY_PEER_ADDRESS
          value: {{ printf "$(POD_IP):%d" (int $values.sharedWatches.port) | quote }}
        {{- end }}
        - name: BEY_OPERATOR_TOKEN
          valueFrom:
            secretKeyRef:
              name: {{ $values.existingSecret }}
              key: operator-token
              optional: {{ not $values.serviceMonitor.enabled }}
        {{- with $values.traces }}
        {{- if .endpoint }}
        - name: OTEL_EXPORTER_OTLP_ENDPOINT
          value: {{ .endpoint | quote }}
        - name: OTEL_EXPORTER_OTLP_HEADERS
          valueFrom:
            secretKeyRef:
              name: {{ $values.existingSecret }}
              key: traces-headers
              optional: true
        - name: OTEL_SERVICE_NAME
          value: {{ .serviceName | quote }}
        - name: OTEL_TRACES_SAMPLER
          value: {{ .sampler | quote }}
        - name: OTEL_TRACES_SAMPLER_ARG
          value: {{ .ratio | quote }}
        {{- end }}
        {{- end }}
        {{- range $name, $value := $values.env }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      {{- with $values.envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
        {{- if ne .role "worker" }}
        - name: tls
          containerPort: 8443
        {{- end }}
        {{- if and $values.sharedWatches.enabled (ne .role "all") }}
        - name: peers
          containerPort: {{ $values.sharedWatches.port }}
        {{- end }}
      startupProbe:
        httpGet:
          path: /health
          port: http
        periodSeconds: 2
        failureThreshold: 90
      readinessProbe:
        httpGet:
          path: /health
          port: http
        periodSeconds: 5
        timeoutSeconds: 10
      # Any answer will do: a pod whose database is away is not helped by being started again.
      livenessProbe:
        exec:
          command:
            - /opt/bey/bin/node
            - -e
            - >-
              fetch('http://127.0.0.1:8080/health', { signal: AbortSignal.timeout(15000) })
              .then(() => process.exit(0), () => process.exit(1))
        periodSeconds: 30
        timeoutSeconds: 20
        failureThreshold: 3
      resources:
        {{- toYaml (ternary $values.web.resources $values.worker.resources (eq .role "web")) | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /var/lib/bey
        - name: tmp
          mountPath: /tmp
        {{- if and $values.transit.url $values.transit.privateCa }}
        - name: transit-ca
          mountPath: /etc/bey/transit-ca
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if and $values.transit.url $values.transit.privateCa }}
    - name: transit-ca
      secret:
        secretName: {{ $values.existingSecret }}
        items:
          - key: transit-ca
            path: ca.pem
    {{- end }}
    {{- if eq .role "web" }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if $values.affinity }}
  affinity:
    {{- toYaml $values.affinity | nindent 4 }}
  {{- else }}
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 1
          podAffinityTerm:
            topologyKey: kubernetes.io/hostname
            labelSelector:
              matchLabels:
                {{- include "bey.selector" (list $root .role) | nindent 16 }}
  {{- end }}
{{- end }}
