import type { JsonObject } from '../json.ts'

/** A pod that uses whatever kubectl must carry over when it copies one. */
export const fullPod: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'full' },
  spec: {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
              matchFields: [{ key: 'metadata.name', operator: 'In', values: ['test-worker-1'] }],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 3, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
        ],
      },
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 4,
            podAffinityTerm: {
              labelSelector: { matchLabels: { a: 'b' } },
              namespaces: ['x'],
              topologyKey: 'k',
              namespaceSelector: { matchLabels: { n: 's' } },
              matchLabelKeys: ['mk'],
              mismatchLabelKeys: ['mm'],
            },
          },
        ],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { z: 'y' } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    },
    hostAliases: [{ ip: '1.2.3.4', hostnames: ['h1', 'h2'] }],
    dnsConfig: {
      nameservers: ['1.1.1.1'],
      searches: ['s.local'],
      options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
    },
    shareProcessNamespace: true,
    readinessGates: [{ conditionType: 'example.com/g' }],
    topologySpreadConstraints: [
      {
        maxSkew: 2,
        topologyKey: 'zone',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { a: 'b' } },
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Ignore',
        matchLabelKeys: ['q'],
      },
    ],
    setHostnameAsFQDN: true,
    os: { name: 'linux' },
    hostUsers: true,
    securityContext: {
      seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 'l' },
      runAsUser: 0,
      sysctls: [{ name: 'net.a', value: '1' }],
      fsGroupChangePolicy: 'OnRootMismatch',
      seccompProfile: { type: 'Localhost', localhostProfile: 'p' },
      appArmorProfile: { type: 'Unconfined' },
      supplementalGroupsPolicy: 'Merge',
      seLinuxChangePolicy: 'Recursive',
      supplementalGroups: [1, 2],
    },
    initContainers: [{ name: 'side', image: 'busybox', restartPolicy: 'Always', command: ['sleep', '9999'] }],
    containers: [
      {
        name: 'c',
        image: 'nginx',
        lifecycle: { postStart: { exec: { command: ['true'] } }, preStop: { sleep: { seconds: 3 } } },
        securityContext: {
          capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
          procMount: 'Default',
          seccompProfile: { type: 'RuntimeDefault' },
          appArmorProfile: { type: 'RuntimeDefault' },
          seLinuxOptions: { level: 'x' },
        },
        livenessProbe: { httpGet: { port: 80, path: '/', httpHeaders: [{ name: 'X', value: 'y' }] } },
        readinessProbe: { grpc: { port: 80, service: 's' } },
        resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
        volumeMounts: [
          {
            name: 'p',
            mountPath: '/p',
            mountPropagation: 'None',
            subPathExpr: '$(A)',
            recursiveReadOnly: 'Disabled',
            readOnly: true,
          },
        ],
      },
    ],
    volumes: [
      {
        name: 'p',
        projected: {
          defaultMode: 256,
          sources: [
            { secret: { name: 's', items: [{ key: 'k', path: 'p', mode: 256 }], optional: true } },
            { configMap: { name: 'c', optional: true } },
            {
              downwardAPI: {
                items: [{ path: 'x', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
              },
            },
            { serviceAccountToken: { audience: 'a', expirationSeconds: 4000, path: 't' } },
          ],
        },
      },
      { name: 'n', nfs: { server: 'srv', path: '/x', readOnly: true } },
      {
        name: 'd',
        downwardAPI: {
          defaultMode: 420,
          items: [
            {
              path: 'cpu',
              resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', divisor: '1m' },
              mode: 256,
            },
          ],
        },
      },
      {
        name: 'csi',
        csi: {
          driver: 'd.example.com',
          readOnly: true,
          fsType: 'ext4',
          volumeAttributes: { a: 'b' },
          nodePublishSecretRef: { name: 's' },
        },
      },
      {
        name: 'e',
        ephemeral: {
          volumeClaimTemplate: {
            metadata: { labels: { a: 'b' } },
            spec: {
              accessModes: ['ReadWriteOnce'],
              storageClassName: 'standard',
              volumeMode: 'Filesystem',
              resources: { requests: { storage: '1Gi' } },
              selector: { matchLabels: { a: 'b' } },
              dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' },
            },
          },
        },
      },
      { name: 'i', image: { reference: 'r', pullPolicy: 'Always' } },
    ],
  },
}
