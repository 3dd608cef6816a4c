/**
 * Field numbers of the protobuf bodies that kubectl sends when it creates things. Each message lists
 * `number:name:type`. Types: s string, i integer, b boolean, y bytes, q Quantity, t Time, o IntOrString, or a message;
 * `[]` before it for a list, `{}` for a map from strings. A `*` after it keeps zero values, which elsewhere mean
 * "not set". A name `~` is a message whose members belong to its parent.
 */
export const messages: Readonly<Record<string, string>> = {
  ObjectMeta:
    '1:name:s 2:generateName:s 3:namespace:s 5:uid:s 6:resourceVersion:s 11:labels:{}s 12:annotations:{}s 13:ownerReferences:[]OwnerReference 14:finalizers:[]s',
  OwnerReference: '1:kind:s 3:name:s 4:uid:s 5:apiVersion:s 6:controller:b* 7:blockOwnerDeletion:b*',
  LabelSelector: '1:matchLabels:{}s 2:matchExpressions:[]LabelSelectorRequirement',
  LabelSelectorRequirement: '1:key:s 2:operator:s 3:values:[]s',

  Deployment: '1:metadata:ObjectMeta 2:spec:DeploymentSpec',
  DeploymentSpec:
    '1:replicas:i* 2:selector:LabelSelector 3:template:PodTemplateSpec 4:strategy:DeploymentStrategy 5:minReadySeconds:i 6:revisionHistoryLimit:i* 7:paused:b 9:progressDeadlineSeconds:i*',
  DeploymentStrategy: '1:type:s 2:rollingUpdate:RollingUpdateDeployment',
  RollingUpdateDeployment: '1:maxUnavailable:o 2:maxSurge:o',

  Pod: '1:metadata:ObjectMeta 2:spec:PodSpec',
  PodTemplateSpec: '1:metadata:ObjectMeta 2:spec:PodSpec',
  PodSpec:
    '1:volumes:[]Volume 2:containers:[]Container 3:restartPolicy:s 4:terminationGracePeriodSeconds:i* 5:activeDeadlineSeconds:i* 6:dnsPolicy:s 7:nodeSelector:{}s 8:serviceAccountName:s 9:serviceAccount:s 10:nodeName:s 11:hostNetwork:b 12:hostPID:b 13:hostIPC:b 14:securityContext:PodSecurityContext 15:imagePullSecrets:[]LocalObjectReference 16:hostname:s 17:subdomain:s 18:affinity:Affinity 19:schedulerName:s 20:initContainers:[]Container 21:automountServiceAccountToken:b* 22:tolerations:[]Toleration 23:hostAliases:[]HostAlias 24:priorityClassName:s 25:priority:i* 26:dnsConfig:DnsConfig 27:shareProcessNamespace:b* 28:readinessGates:[]ReadinessGate 29:runtimeClassName:s 30:enableServiceLinks:b* 31:preemptionPolicy:s 32:overhead:{}q 33:topologySpreadConstraints:[]TopologySpread 34:ephemeralContainers:[]EphemeralContainer 35:setHostnameAsFQDN:b* 36:os:Named 37:hostUsers:b* 38:schedulingGates:[]Named 40:resources:ResourceRequirements',
  PodSecurityContext:
    '1:seLinuxOptions:SeLinux 2:runAsUser:i* 3:runAsNonRoot:b* 4:supplementalGroups:[]i 5:fsGroup:i* 6:runAsGroup:i* 7:sysctls:[]NamedValue 8:windowsOptions:WindowsOptions 9:fsGroupChangePolicy:s 10:seccompProfile:Profile 11:appArmorProfile:Profile 12:supplementalGroupsPolicy:s 13:seLinuxChangePolicy:s',
  SeLinux: '1:user:s 2:role:s 3:type:s 4:level:s',
  WindowsOptions: '1:gmsaCredentialSpecName:s* 2:gmsaCredentialSpec:s* 3:runAsUserName:s* 4:hostProcess:b*',
  Profile: '1:type:s 2:localhostProfile:s*',
  Capabilities: '1:add:[]s 2:drop:[]s',
  Named: '1:name:s',
  NamedValue: '1:name:s 2:value:s',
  HostAlias: '1:ip:s 2:hostnames:[]s',
  DnsConfig: '1:nameservers:[]s 2:searches:[]s 3:options:[]DnsOption',
  DnsOption: '1:name:s 2:value:s*',
  ReadinessGate: '1:conditionType:s',
  TopologySpread:
    '1:maxSkew:i 2:topologyKey:s 3:whenUnsatisfiable:s 4:labelSelector:LabelSelector 5:minDomains:i* 6:nodeAffinityPolicy:s 7:nodeTaintsPolicy:s 8:matchLabelKeys:[]s',
  Affinity: '1:nodeAffinity:NodeAffinity 2:podAffinity:PodAffinity 3:podAntiAffinity:PodAffinity',
  NodeAffinity:
    '1:requiredDuringSchedulingIgnoredDuringExecution:NodeSelector 2:preferredDuringSchedulingIgnoredDuringExecution:[]PreferredNode',
  NodeSelector: '1:nodeSelectorTerms:[]NodeSelectorTerm',
  NodeSelectorTerm: '1:matchExpressions:[]LabelSelectorRequirement 2:matchFields:[]LabelSelectorRequirement',
  PreferredNode: '1:weight:i 2:preference:NodeSelectorTerm',
  PodAffinity:
    '1:requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm 2:preferredDuringSchedulingIgnoredDuringExecution:[]PreferredPod',
  PreferredPod: '1:weight:i 2:podAffinityTerm:PodAffinityTerm',
  PodAffinityTerm:
    '1:labelSelector:LabelSelector 2:namespaces:[]s 3:topologyKey:s 4:namespaceSelector:LabelSelector 5:matchLabelKeys:[]s 6:mismatchLabelKeys:[]s',
  Toleration: '1:key:s 2:operator:s 3:value:s 4:effect:s 5:tolerationSeconds:i*',
  LocalObjectReference: '1:name:s',
  Container:
    '1:name:s 2:image:s 3:command:[]s 4:args:[]s 5:workingDir:s 6:ports:[]ContainerPort 7:env:[]EnvVar 8:resources:ResourceRequirements 9:volumeMounts:[]VolumeMount 10:livenessProbe:Probe 11:readinessProbe:Probe 12:lifecycle:Lifecycle 13:terminationMessagePath:s 14:imagePullPolicy:s 15:securityContext:SecurityContext 16:stdin:b 17:stdinOnce:b 18:tty:b 19:envFrom:[]EnvFromSource 20:terminationMessagePolicy:s 21:volumeDevices:[]VolumeDevice 22:startupProbe:Probe 23:resizePolicy:[]ResizePolicy 24:restartPolicy:s',
  EphemeralContainer: '1:~:Container 2:targetContainerName:s',
  Lifecycle: '1:postStart:LifecycleHandler 2:preStop:LifecycleHandler 3:stopSignal:s',
  LifecycleHandler: '1:exec:ExecAction 2:httpGet:HttpGet 3:tcpSocket:TcpSocket 4:sleep:SleepAction',
  SleepAction: '1:seconds:i*',
  VolumeDevice: '1:name:s 2:devicePath:s',
  ResizePolicy: '1:resourceName:s 2:restartPolicy:s',
  SecurityContext:
    '1:capabilities:Capabilities 2:privileged:b* 3:seLinuxOptions:SeLinux 4:runAsUser:i* 5:runAsNonRoot:b* 6:readOnlyRootFilesystem:b* 7:allowPrivilegeEscalation:b* 8:runAsGroup:i* 9:procMount:s 10:windowsOptions:WindowsOptions 11:seccompProfile:Profile 12:appArmorProfile:Profile',
  ContainerPort: '1:name:s 2:hostPort:i 3:containerPort:i 4:protocol:s 5:hostIP:s',
  EnvVar: '1:name:s 2:value:s 3:valueFrom:EnvVarSource',
  EnvVarSource:
    '1:fieldRef:ObjectFieldSelector 2:resourceFieldRef:ResourceFieldSelector 3:configMapKeyRef:KeySelector 4:secretKeyRef:KeySelector',
  ObjectFieldSelector: '1:apiVersion:s 2:fieldPath:s',
  ResourceFieldSelector: '1:containerName:s 2:resource:s 3:divisor:q',
  KeySelector: '1:~:LocalObjectReference 2:key:s 3:optional:b*',
  EnvFromSource: '1:prefix:s 2:configMapRef:EnvSource 3:secretRef:EnvSource',
  EnvSource: '1:~:LocalObjectReference 2:optional:b*',
  ResourceRequirements: '1:limits:{}q 2:requests:{}q 3:claims:[]ResourceClaim',
  ResourceClaim: '1:name:s 2:request:s',
  VolumeMount:
    '1:name:s 2:readOnly:b 3:mountPath:s 4:subPath:s 5:mountPropagation:s 6:subPathExpr:s 7:recursiveReadOnly:s',
  Volume: '1:name:s 2:~:VolumeSource',
  VolumeSource:
    '1:hostPath:HostPath 2:emptyDir:EmptyDir 6:secret:SecretVolume 7:nfs:NfsVolume 10:persistentVolumeClaim:ClaimVolume 16:downwardAPI:DownwardVolume 19:configMap:ConfigMapVolume 26:projected:ProjectedVolume 28:csi:CsiVolume 29:ephemeral:EphemeralVolume 30:image:ImageVolume',
  NfsVolume: '1:server:s 2:path:s 3:readOnly:b',
  DownwardVolume: '1:items:[]DownwardFile 2:defaultMode:i*',
  DownwardFile: '1:path:s 2:fieldRef:ObjectFieldSelector 3:resourceFieldRef:ResourceFieldSelector 4:mode:i*',
  ProjectedVolume: '1:sources:[]VolumeProjection 2:defaultMode:i*',
  VolumeProjection:
    '1:secret:DataProjection 2:downwardAPI:DownwardVolume 3:configMap:DataProjection 4:serviceAccountToken:TokenProjection',
  DataProjection: '1:~:LocalObjectReference 2:items:[]KeyToPath 4:optional:b*',
  TokenProjection: '1:audience:s 2:expirationSeconds:i* 3:path:s',
  CsiVolume:
    '1:driver:s 2:readOnly:b* 3:fsType:s* 4:volumeAttributes:{}s 5:nodePublishSecretRef:LocalObjectReference',
  EphemeralVolume: '1:volumeClaimTemplate:ClaimTemplate',
  ClaimTemplate: '1:metadata:ObjectMeta 2:spec:ClaimSpec',
  ClaimSpec:
    '1:accessModes:[]s 2:resources:ResourceRequirements 3:volumeName:s 4:selector:LabelSelector 5:storageClassName:s* 6:volumeMode:s 7:dataSource:DataSource 8:dataSourceRef:DataSource 9:volumeAttributesClassName:s',
  DataSource: '1:apiGroup:s 2:kind:s 3:name:s 4:namespace:s',
  ImageVolume: '1:reference:s 2:pullPolicy:s',
  HostPath: '1:path:s 2:type:s*',
  EmptyDir: '1:medium:s 2:sizeLimit:q',
  SecretVolume: '1:secretName:s 2:items:[]KeyToPath 3:defaultMode:i* 4:optional:b*',
  ConfigMapVolume: '1:~:LocalObjectReference 2:items:[]KeyToPath 3:defaultMode:i* 4:optional:b*',
  KeyToPath: '1:key:s 2:path:s 3:mode:i*',
  ClaimVolume: '1:claimName:s 2:readOnly:b',
  Probe:
    '1:~:ProbeHandler 2:initialDelaySeconds:i 3:timeoutSeconds:i 4:periodSeconds:i 5:successThreshold:i 6:failureThreshold:i 7:terminationGracePeriodSeconds:i*',
  ProbeHandler: '1:exec:ExecAction 2:httpGet:HttpGet 3:tcpSocket:TcpSocket 4:grpc:GrpcAction',
  GrpcAction: '1:port:i 2:service:s*',
  ExecAction: '1:command:[]s',
  HttpGet: '1:path:s 2:port:o 3:host:s 4:scheme:s 5:httpHeaders:[]NamedValue',
  TcpSocket: '1:port:o 2:host:s',

  Job: '1:metadata:ObjectMeta 2:spec:JobSpec',
  JobSpec:
    '1:parallelism:i* 2:completions:i* 3:activeDeadlineSeconds:i* 4:selector:LabelSelector 5:manualSelector:b* 6:template:PodTemplateSpec 7:backoffLimit:i* 8:ttlSecondsAfterFinished:i* 9:completionMode:s 10:suspend:b* 11:podFailurePolicy:PodFailurePolicy 12:backoffLimitPerIndex:i* 13:maxFailedIndexes:i* 14:podReplacementPolicy:s 15:managedBy:s 16:successPolicy:SuccessPolicy',
  PodFailurePolicy: '1:rules:[]PodFailureRule',
  PodFailureRule: '1:action:s 2:onExitCodes:ExitCodesRule 3:onPodConditions:[]PodConditionRule',
  ExitCodesRule: '1:containerName:s 2:operator:s 3:values:[]i',
  PodConditionRule: '1:type:s 2:status:s',
  SuccessPolicy: '1:rules:[]SuccessRule',
  SuccessRule: '1:succeededIndexes:s 2:succeededCount:i*',
  CronJob: '1:metadata:ObjectMeta 2:spec:CronJobSpec',
  CronJobSpec:
    '1:schedule:s 2:startingDeadlineSeconds:i* 3:concurrencyPolicy:s 4:suspend:b* 5:jobTemplate:JobTemplateSpec 6:successfulJobsHistoryLimit:i* 7:failedJobsHistoryLimit:i* 8:timeZone:s',
  JobTemplateSpec: '1:metadata:ObjectMeta 2:spec:JobSpec',

  Namespace: '1:metadata:ObjectMeta 2:spec:NamespaceSpec',
  NamespaceSpec: '1:finalizers:[]s',
  Secret: '1:metadata:ObjectMeta 2:data:{}y 3:type:s 4:stringData:{}s 5:immutable:b*',
  ConfigMap: '1:metadata:ObjectMeta 2:data:{}s 3:binaryData:{}y 4:immutable:b*',
  ServiceAccount:
    '1:metadata:ObjectMeta 2:secrets:[]ObjectReference 3:imagePullSecrets:[]LocalObjectReference 4:automountServiceAccountToken:b*',
  ObjectReference: '1:kind:s 2:namespace:s 3:name:s 4:uid:s 5:apiVersion:s 6:resourceVersion:s 7:fieldPath:s',
  Service: '1:metadata:ObjectMeta 2:spec:ServiceSpec',
  ServiceSpec:
    '1:ports:[]ServicePort 2:selector:{}s 3:clusterIP:s 4:type:s 5:externalIPs:[]s 7:sessionAffinity:s 8:loadBalancerIP:s 10:externalName:s 11:externalTrafficPolicy:s 18:clusterIPs:[]s',
  ServicePort: '1:name:s 2:protocol:s 3:port:i 4:targetPort:o 5:nodePort:i 6:appProtocol:s',
  ResourceQuota: '1:metadata:ObjectMeta 2:spec:ResourceQuotaSpec',
  ResourceQuotaSpec: '1:hard:{}q 2:scopes:[]s',

  Role: '1:metadata:ObjectMeta 2:rules:[]PolicyRule',
  ClusterRole: '1:metadata:ObjectMeta 2:rules:[]PolicyRule 3:aggregationRule:AggregationRule',
  AggregationRule: '1:clusterRoleSelectors:[]LabelSelector',
  PolicyRule: '1:verbs:[]s 2:apiGroups:[]s 3:resources:[]s 4:resourceNames:[]s 5:nonResourceURLs:[]s',
  RoleBinding: '1:metadata:ObjectMeta 2:subjects:[]Subject 3:roleRef:RoleRef',
  ClusterRoleBinding: '1:metadata:ObjectMeta 2:subjects:[]Subject 3:roleRef:RoleRef',
  Subject: '1:kind:s 2:apiGroup:s 3:name:s 4:namespace:s',
  RoleRef: '1:apiGroup:s 2:kind:s 3:name:s',

  PodDisruptionBudget: '1:metadata:ObjectMeta 2:spec:PodDisruptionBudgetSpec',
  PodDisruptionBudgetSpec:
    '1:minAvailable:o 2:selector:LabelSelector 3:maxUnavailable:o 4:unhealthyPodEvictionPolicy:s',
  Eviction: '1:metadata:ObjectMeta 2:deleteOptions:DeleteOptions',
  DeleteOptions:
    '1:gracePeriodSeconds:i* 2:preconditions:Preconditions 3:orphanDependents:b* 4:propagationPolicy:s 5:dryRun:[]s',
  Preconditions: '1:uid:s 2:resourceVersion:s',
  PriorityClass: '1:metadata:ObjectMeta 2:value:i* 3:globalDefault:b 4:description:s 5:preemptionPolicy:s',

  Ingress: '1:metadata:ObjectMeta 2:spec:IngressSpec',
  IngressSpec:
    '1:defaultBackend:IngressBackend 2:tls:[]IngressTls 3:rules:[]IngressRule 4:ingressClassName:s',
  IngressTls: '1:hosts:[]s 2:secretName:s',
  IngressRule: '1:host:s 2:~:IngressRuleValue',
  IngressRuleValue: '1:http:HttpRule',
  HttpRule: '1:paths:[]HttpPath',
  HttpPath: '1:path:s 2:backend:IngressBackend 3:pathType:s',
  IngressBackend: '4:service:IngressService',
  IngressService: '1:name:s 2:port:IngressPort',
  IngressPort: '1:name:s 2:number:i',

  'autoscaling/v1/HorizontalPodAutoscaler': '1:metadata:ObjectMeta 2:spec:AutoscalerV1Spec',
  AutoscalerV1Spec:
    '1:scaleTargetRef:ScaleTarget 2:minReplicas:i* 3:maxReplicas:i 4:targetCPUUtilizationPercentage:i*',
  'autoscaling/v2/HorizontalPodAutoscaler': '1:metadata:ObjectMeta 2:spec:AutoscalerV2Spec',
  AutoscalerV2Spec: '1:scaleTargetRef:ScaleTarget 2:minReplicas:i* 3:maxReplicas:i 4:metrics:[]MetricSpec',
  ScaleTarget: '1:kind:s 2:name:s 3:apiVersion:s',
  MetricSpec: '1:type:s 4:resource:ResourceMetric',
  ResourceMetric: '1:name:s 2:target:MetricTarget',
  MetricTarget: '1:type:s 2:value:q 3:averageValue:q 4:averageUtilization:i*',
  Scale: '1:metadata:ObjectMeta 2:spec:ScaleSpec',
  ScaleSpec: '1:replicas:i*',

  TokenRequest: '1:metadata:ObjectMeta 2:spec:TokenRequestSpec',
  TokenRequestSpec: '1:audiences:[]s 3:boundObjectRef:BoundObject 4:expirationSeconds:i*',
  BoundObject: '1:kind:s 2:apiVersion:s 3:name:s 4:uid:s',
  TokenReview: '1:metadata:ObjectMeta 2:spec:TokenReviewSpec',
  TokenReviewSpec: '1:token:s 2:audiences:[]s',
  SelfSubjectReview: '1:metadata:ObjectMeta',
  SelfSubjectAccessReview: '1:metadata:ObjectMeta 2:spec:AccessSpec',
  AccessSpec: '1:resourceAttributes:ResourceAttributes 2:nonResourceAttributes:NonResourceAttributes',
  SubjectAccessReview: '1:metadata:ObjectMeta 2:spec:SubjectAccessSpec',
  LocalSubjectAccessReview: '1:metadata:ObjectMeta 2:spec:SubjectAccessSpec',
  SubjectAccessSpec:
    '1:resourceAttributes:ResourceAttributes 2:nonResourceAttributes:NonResourceAttributes 3:user:s 4:groups:[]s 6:uid:s',
  ResourceAttributes: '1:namespace:s 2:verb:s 3:group:s 4:version:s 5:resource:s 6:subresource:s 7:name:s',
  NonResourceAttributes: '1:path:s 2:verb:s',
  SelfSubjectRulesReview: '1:metadata:ObjectMeta 2:spec:RulesSpec',
  RulesSpec: '1:namespace:s',

  CertificateSigningRequest: '1:metadata:ObjectMeta 2:spec:CsrSpec 3:status:CsrStatus',
  CsrSpec: '1:request:y 2:username:s 3:uid:s 4:groups:[]s 5:usages:[]s 7:signerName:s 8:expirationSeconds:i*',
  CsrStatus: '1:conditions:[]CsrCondition 2:certificate:y',
  CsrCondition: '1:type:s 2:reason:s 3:message:s 4:lastUpdateTime:t 5:lastTransitionTime:t 6:status:s',
}
