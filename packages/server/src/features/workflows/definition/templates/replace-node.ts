import { inputFields, inputSchema, type WorkflowTemplate } from './template.ts'

export const replaceNode: WorkflowTemplate = {
  id: 'replace-node',
  icon: 'refresh-cw',
  definition: {
    name: 'Drain and replace a node',
    description:
      'Moves the pods of a node away, asks, removes the node, and checks that every pod has found a place.',
    type: 'maintenance',
    inputSchema: inputSchema(
      { cluster: inputFields.cluster, node: { type: 'string', title: 'Node', minLength: 1 } },
      ['cluster', 'node'],
    ),
    steps: [
      {
        key: 'drain',
        name: 'Drain the node',
        type: 'kubernetes.drain',
        config: { cluster: '{{ inputs.cluster }}', node: '{{ inputs.node }}', delete_empty_dir_data: true },
      },
      {
        key: 'confirm',
        name: 'Confirm the removal',
        type: 'approval',
        config: {
          question: 'Remove the node {{ inputs.node }}?',
          details: '{{ steps.drain.output.evicted }} pods were moved. The machine itself is not touched.',
          approvers: { role: 'ADMIN', allow_requester: true },
          timeout_ms: 86_400_000,
        },
      },
      {
        key: 'remove',
        name: 'Remove the node',
        type: 'kubernetes.delete',
        config: {
          cluster: '{{ inputs.cluster }}',
          api_version: 'v1',
          kind: 'Node',
          name: '{{ inputs.node }}',
        },
      },
      {
        key: 'gone',
        name: 'Wait until it is gone',
        type: 'kubernetes.wait',
        config: {
          cluster: '{{ inputs.cluster }}',
          api_version: 'v1',
          kind: 'Node',
          name: '{{ inputs.node }}',
          until: 'deleted',
        },
      },
      {
        key: 'homeless',
        name: 'Look for pods without a node',
        type: 'kubernetes.list',
        config: {
          cluster: '{{ inputs.cluster }}',
          api_version: 'v1',
          kind: 'Pod',
          where: 'object.status.?phase.orValue("") == "Pending" && !has(object.spec.nodeName)',
          select: { namespace: 'object.metadata.namespace', name: 'object.metadata.name' },
        },
      },
      {
        key: 'tell',
        name: 'Tell the result',
        type: 'notify',
        config: {
          title: 'The node {{ inputs.node }} was removed',
          message: '{{ steps.homeless.output.count }} pods wait for a node.',
          level: '{{ steps.homeless.output.count == 0 ? "success" : "warning" }}',
        },
      },
    ],
    outputs: { pods_without_node: '{{ steps.homeless.output.items }}' },
  },
}
