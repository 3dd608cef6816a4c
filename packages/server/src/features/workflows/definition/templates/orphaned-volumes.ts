import { inputFields, inputSchema, type WorkflowTemplate } from './template.ts'

export const orphanedVolumes: WorkflowTemplate = {
  id: 'orphaned-volumes',
  icon: 'hard-drive',
  definition: {
    name: 'Clean up orphaned volumes',
    description:
      'Finds volume claims that no pod mounts, asks, and deletes them. Give it a nightly schedule.',
    type: 'maintenance',
    inputSchema: inputSchema({ cluster: inputFields.cluster }, ['cluster']),
    steps: [
      {
        key: 'claims',
        name: 'List volume claims',
        type: 'kubernetes.list',
        needs: [],
        config: {
          cluster: '{{ inputs.cluster }}',
          api_version: 'v1',
          kind: 'PersistentVolumeClaim',
          select: { namespace: 'object.metadata.namespace', name: 'object.metadata.name' },
          limit: 500,
        },
      },
      {
        key: 'pods',
        name: 'List what pods mount',
        type: 'kubernetes.list',
        needs: [],
        config: {
          cluster: '{{ inputs.cluster }}',
          api_version: 'v1',
          kind: 'Pod',
          where: 'object.spec.?volumes.orValue([]).exists(v, has(v.persistentVolumeClaim))',
          select: {
            namespace: 'object.metadata.namespace',
            claims:
              'object.spec.volumes.filter(v, has(v.persistentVolumeClaim)).map(v, v.persistentVolumeClaim.claimName)',
          },
          limit: 500,
        },
      },
      {
        key: 'incomplete',
        name: 'Stop where not every pod was seen',
        type: 'stop',
        needs: ['claims', 'pods'],
        when: 'steps.pods.output.truncated',
        config: {
          status: 'failed',
          message:
            'More pods mount volumes than can be compared, so a claim in use could be taken for an orphan.',
        },
      },
      {
        key: 'orphans',
        name: 'Find claims without a pod',
        type: 'transform',
        config: {
          values: {
            list: '{{ steps.claims.output.items.filter(c, !steps.pods.output.items.exists(p, p.namespace == c.namespace && c.name in p.claims)) }}',
          },
        },
      },
      {
        key: 'nothing',
        name: 'Stop where there is nothing to do',
        type: 'stop',
        when: 'steps.orphans.output.list.size() == 0',
        config: { message: 'Every volume claim is mounted by a pod.' },
      },
      {
        key: 'approve',
        name: 'Approve the deletion',
        type: 'approval',
        config: {
          question: 'Delete {{ steps.orphans.output.list.size() }} volume claims with their data?',
          details: '{{ steps.orphans.output.list.map(c, c.namespace + "/" + c.name).join(", ") }}',
          approvers: { role: 'ADMIN', allow_requester: true },
          timeout_ms: 86_400_000,
        },
      },
      {
        key: 'delete',
        name: 'Delete the claim',
        type: 'kubernetes.delete',
        foreach: { items: 'steps.orphans.output.list', maxParallel: 5 },
        config: {
          cluster: '{{ inputs.cluster }}',
          api_version: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace: '{{ item.namespace }}',
          name: '{{ item.name }}',
        },
      },
    ],
    outputs: { orphans: '{{ steps.orphans.output.list }}' },
  },
}
