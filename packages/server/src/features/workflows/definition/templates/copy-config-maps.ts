import { inputFields, inputSchema, type WorkflowTemplate } from './template.ts'

export const copyConfigMaps: WorkflowTemplate = {
  id: 'copy-config-maps',
  icon: 'copy',
  definition: {
    name: 'Copy config maps to another cluster',
    description: 'Copies the config maps of a namespace into the same namespace of another cluster.',
    type: 'data',
    inputSchema: inputSchema(
      {
        cluster: inputFields.cluster,
        namespace: inputFields.namespace,
        target: { ...inputFields.cluster, title: 'Target cluster' },
        target_namespace: { ...inputFields.namespace, title: 'Target namespace' },
      },
      ['cluster', 'target'],
    ),
    steps: [
      {
        key: 'read',
        name: 'Read the config maps',
        type: 'kubernetes.list',
        config: {
          cluster: '{{ inputs.cluster }}',
          api_version: 'v1',
          kind: 'ConfigMap',
          namespace: '{{ inputs.namespace }}',
          where: 'object.metadata.name != "kube-root-ca.crt"',
          select: { name: 'object.metadata.name', data: 'object.?data.orValue({})' },
          limit: 200,
        },
      },
      {
        key: 'write',
        name: 'Write them',
        type: 'kubernetes.apply',
        when: 'steps.read.output.count > 0',
        config: {
          cluster: '{{ inputs.target }}',
          manifest:
            '{{ steps.read.output.items.map(i, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": i.name, "namespace": inputs.target_namespace}, "data": i.data}) }}',
        },
      },
    ],
    outputs: { copied: '{{ steps.read.output.items.map(i, i.name) }}' },
  },
}
