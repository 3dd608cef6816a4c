import {
  deploymentOfInputs,
  inputFields,
  inputSchema,
  rolloutOfInputs,
  type WorkflowTemplate,
} from './template.ts'

export const scaleForTheNight: WorkflowTemplate = {
  id: 'scale-for-the-night',
  icon: 'moon',
  definition: {
    name: 'Scale for the night and back',
    description:
      'Scales a deployment down for some hours and back to the number of replicas that it had. Give it a schedule in the evening.',
    type: 'maintenance',
    inputSchema: inputSchema(
      {
        cluster: inputFields.cluster,
        namespace: inputFields.namespace,
        deployment: inputFields.deployment,
        night_replicas: { type: 'integer', title: 'Replicas at night', default: 0, minimum: 0 },
        night_ms: { type: 'integer', title: 'Length of the night', default: 36_000_000, minimum: 1 },
      },
      ['cluster', 'deployment'],
    ),
    steps: [
      {
        key: 'before',
        name: 'Note the replicas',
        type: 'kubernetes.get',
        config: { ...deploymentOfInputs, api_version: 'apps/v1', kind: 'Deployment' },
      },
      {
        key: 'down',
        name: 'Scale for the night',
        type: 'kubernetes.scale',
        config: { ...deploymentOfInputs, replicas: '{{ inputs.night_replicas }}' },
        compensate: {
          type: 'kubernetes.scale',
          config: { ...deploymentOfInputs, replicas: '{{ steps.before.output.object.spec.replicas }}' },
        },
      },
      {
        key: 'night',
        name: 'Wait until the morning',
        type: 'wait',
        config: { duration_ms: '{{ inputs.night_ms }}' },
      },
      {
        key: 'up',
        name: 'Scale back',
        type: 'kubernetes.scale',
        config: { ...deploymentOfInputs, replicas: '{{ steps.before.output.object.spec.replicas }}' },
      },
      { key: 'ready', name: 'Wait for the pods', type: 'kubernetes.wait', config: { ...rolloutOfInputs } },
    ],
    outputs: { replicas: '{{ steps.before.output.object.spec.replicas }}' },
  },
}
