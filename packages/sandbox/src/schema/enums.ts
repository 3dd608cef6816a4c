const protocols = 'SCTP TCP UDP'
const pullPolicies = 'Always IfNotPresent Never'
const messagePolicies = 'FallbackToLogsOnError File'
const effects = 'NoExecute NoSchedule PreferNoSchedule'
const profiles = 'Localhost RuntimeDefault Unconfined'
const volumeModes = 'Block Filesystem'
const preemption = 'Never PreemptLowerPriority'
const honor = 'Honor Ignore'

/** The values that text fields of the API may have, as its reference lists them. */
export const enums: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  V1AppArmorProfile: { type: profiles },
  V1Container: { imagePullPolicy: pullPolicies, terminationMessagePolicy: messagePolicies },
  V1ContainerPort: { protocol: protocols },
  V1CronJobSpec: { concurrencyPolicy: 'Allow Forbid Replace' },
  V1DaemonSetUpdateStrategy: { type: 'OnDelete RollingUpdate' },
  V1DeploymentStrategy: { type: 'Recreate RollingUpdate' },
  V1EndpointSlice: { addressType: 'FQDN IPv4 IPv6' },
  V1EphemeralContainer: { imagePullPolicy: pullPolicies, terminationMessagePolicy: messagePolicies },
  V1HTTPGetAction: { scheme: 'HTTP HTTPS' },
  V1HTTPIngressPath: { pathType: 'Exact ImplementationSpecific Prefix' },
  V1JobSpec: { completionMode: 'Indexed NonIndexed', podReplacementPolicy: 'Failed TerminatingOrFailed' },
  V1NamespaceStatus: { phase: 'Active Terminating' },
  V1NodeSelectorRequirement: { operator: 'DoesNotExist Exists Gt In Lt NotIn' },
  V1PersistentVolumeClaimSpec: { volumeMode: volumeModes },
  V1PersistentVolumeClaimStatus: { phase: 'Bound Lost Pending' },
  V1PersistentVolumeSpec: {
    persistentVolumeReclaimPolicy: 'Delete Recycle Retain',
    volumeMode: volumeModes,
  },
  V1PersistentVolumeStatus: { phase: 'Available Bound Failed Pending Released' },
  V1PodDisruptionBudgetSpec: { unhealthyPodEvictionPolicy: 'AlwaysAllow IfHealthyBudget' },
  V1PodFailurePolicyOnExitCodesRequirement: { operator: 'In NotIn' },
  V1PodFailurePolicyRule: { action: 'Count FailIndex FailJob Ignore' },
  V1PodSecurityContext: {
    fsGroupChangePolicy: 'Always OnRootMismatch',
    supplementalGroupsPolicy: 'Merge Strict',
  },
  V1PodSpec: {
    dnsPolicy: 'ClusterFirst ClusterFirstWithHostNet Default None',
    preemptionPolicy: preemption,
    restartPolicy: 'Always Never OnFailure',
  },
  V1PodStatus: {
    phase: 'Failed Pending Running Succeeded Unknown',
    qosClass: 'BestEffort Burstable Guaranteed',
  },
  V1PriorityClass: { preemptionPolicy: preemption },
  V1ScopedResourceSelectorRequirement: { operator: 'DoesNotExist Exists In NotIn' },
  V1SeccompProfile: { type: profiles },
  V1SecurityContext: { procMount: 'Default Unmasked' },
  V1ServicePort: { protocol: protocols },
  V1ServiceSpec: {
    externalTrafficPolicy: 'Cluster Local',
    internalTrafficPolicy: 'Cluster Local',
    ipFamilyPolicy: 'PreferDualStack RequireDualStack SingleStack',
    sessionAffinity: 'ClientIP None',
    type: 'ClusterIP ExternalName LoadBalancer NodePort',
  },
  V1StatefulSetSpec: { podManagementPolicy: 'OrderedReady Parallel' },
  V1StatefulSetUpdateStrategy: { type: 'OnDelete RollingUpdate' },
  V1StorageClass: {
    reclaimPolicy: 'Delete Recycle Retain',
    volumeBindingMode: 'Immediate WaitForFirstConsumer',
  },
  V1Taint: { effect: effects },
  V1Toleration: { effect: effects, operator: 'Equal Exists' },
  V1TopologySpreadConstraint: {
    nodeAffinityPolicy: honor,
    nodeTaintsPolicy: honor,
    whenUnsatisfiable: 'DoNotSchedule ScheduleAnyway',
  },
  V1VolumeMount: { mountPropagation: 'Bidirectional HostToContainer None' },
}

/** The values that a field of a model may have; undefined where any will do. */
export function enumOf(model: string, name: string): string[] | undefined {
  return enums[model]?.[name]?.split(' ')
}

/** What the description of such a field ends with. */
export function enumText(values: readonly string[]): string {
  return `\n\nPossible enum values:\n${values.map((value) => ` - \`"${value}"\``).join('\n')}`
}
