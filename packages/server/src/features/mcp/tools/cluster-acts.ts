import { AppError } from '../../../platform/errors.ts'
import { clusterField, findCluster } from '../targets.ts'
import { actTool } from '../tool.ts'

export const deleteCluster = actTool({
  name: 'delete_cluster',
  title: 'Delete a cluster',
  description:
    'Deletes a cluster with everything in it, or lets an imported one go. A person is asked first.',
  needs: ['clusters.delete', 'clusters.read'],
  mayDestroy: true,
  input: { cluster: clusterField },
  async plan(context, { cluster: text }) {
    const { id, title, status } = await findCluster(context, text)
    if (status === 'DELETED') throw new AppError('conflict', `The cluster ${title} is deleted already.`)
    const found = await context.call('clusters.references', { params: { id } })
    const { kubeconfigTokens, runs, openStreams, secrets } = found
    return {
      summary: `The cluster ${title} is deleted with everything in it.`,
      details: {
        warnings: [
          `${kubeconfigTokens} kubeconfig tokens stop working, ${openStreams} open streams end, ${runs.length} runs are under way, ${secrets.length} secrets lose their use.`,
        ],
      },
      question: `Delete the cluster ${title} with everything in it?`,
      async apply({ call }) {
        const { message, runId } = await call('clusters.delete', { params: { id } })
        return { summary: message, runId }
      },
    }
  },
})
