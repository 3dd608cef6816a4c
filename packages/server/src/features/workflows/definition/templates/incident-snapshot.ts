import { inputFields, inputSchema, type WorkflowTemplate } from './template.ts'

const inNamespace = { cluster: '{{ inputs.cluster }}', namespace: '{{ inputs.namespace }}' } as const

export const incidentSnapshot: WorkflowTemplate = {
  id: 'incident-snapshot',
  icon: 'camera',
  definition: {
    name: 'Incident snapshot',
    description: 'Collects pods, events, deployments and logs of a namespace into one output.',
    type: 'maintenance',
    inputSchema: inputSchema(
      {
        cluster: inputFields.cluster,
        namespace: inputFields.namespace,
        selector: { type: 'string', title: 'Pods whose logs are kept', description: 'A label selector.' },
        lines: {
          type: 'integer',
          title: 'Lines of each container',
          default: 100,
          minimum: 1,
          maximum: 1_000,
        },
      },
      ['cluster', 'selector'],
    ),
    steps: [
      {
        key: 'pods',
        name: 'Pods',
        type: 'kubernetes.list',
        needs: [],
        config: {
          ...inNamespace,
          api_version: 'v1',
          kind: 'Pod',
          select: {
            name: 'object.metadata.name',
            phase: 'object.status.?phase.orValue("")',
            node: 'object.spec.?nodeName.orValue("")',
            restarts: 'object.status.?containerStatuses.orValue([]).map(c, c.restartCount).sum()',
          },
          limit: 500,
        },
      },
      {
        key: 'events',
        name: 'Warnings',
        type: 'kubernetes.list',
        needs: [],
        config: {
          ...inNamespace,
          api_version: 'v1',
          kind: 'Event',
          where: 'object.?type.orValue("") == "Warning"',
          select: {
            object: 'object.involvedObject.?kind.orValue("") + " " + object.involvedObject.?name.orValue("")',
            reason: 'object.?reason.orValue("")',
            message: 'object.?message.orValue("")',
          },
          limit: 200,
        },
      },
      {
        key: 'deployments',
        name: 'Deployments',
        type: 'kubernetes.list',
        needs: [],
        config: {
          ...inNamespace,
          api_version: 'apps/v1',
          kind: 'Deployment',
          select: {
            name: 'object.metadata.name',
            wanted: 'object.spec.?replicas.orValue(1)',
            available: 'object.status.?availableReplicas.orValue(0)',
            images: 'object.spec.template.spec.containers.map(c, c.image)',
          },
        },
      },
      {
        key: 'logs',
        name: 'Logs',
        type: 'kubernetes.logs',
        needs: [],
        config: { ...inNamespace, selector: '{{ inputs.selector }}', tail_lines: '{{ inputs.lines }}' },
        continueOnError: true,
      },
      {
        key: 'snapshot',
        name: 'Put it together',
        type: 'transform',
        needs: ['pods', 'events', 'deployments', 'logs'],
        config: {
          values: {
            pods: '{{ steps.pods.output.items }}',
            warnings: '{{ steps.events.output.items }}',
            deployments: '{{ steps.deployments.output.items }}',
            pods_in_trouble:
              '{{ steps.pods.output.items.filter(p, p.phase != "Running" && p.phase != "Succeeded").map(p, p.name) }}',
          },
        },
      },
    ],
    outputs: {
      snapshot: '{{ steps.snapshot.output }}',
      logs: '{{ steps.logs.output.?containers.orValue([]) }}',
    },
  },
}
