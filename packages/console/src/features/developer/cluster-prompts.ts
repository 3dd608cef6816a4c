import type { Client } from '@bey/client'
import { causeOf } from '../../lib/error-text.ts'

/** The browser's own dialogs, as specified: these tools are for one developer, not for users. */
type Dialogs = Pick<Window, 'prompt' | 'alert' | 'confirm'>

export interface ClusterPrompts {
  provision: () => Promise<void>
  remove: () => Promise<void>
  checkStatus: () => Promise<void>
}

/** Cluster operations by id; an answer that is no number, or 0, does nothing. */
export function createClusterPrompts(dialogs: Dialogs, client: Client): ClusterPrompts {
  const askForId = () => {
    const id = Number(dialogs.prompt('Enter cluster ID:') ?? '')
    return Number.isNaN(id) || id === 0 ? undefined : id
  }
  const tell = async (answer: Promise<string>, failure: string) => {
    try {
      dialogs.alert(await answer)
    } catch (error) {
      dialogs.alert(`${failure}: ${causeOf(error)}`)
    }
  }
  return {
    provision: async () => {
      const id = askForId()
      if (id === undefined) return
      const started = client.call('clusters.provision', { params: { id } })
      await tell(
        started.then(({ message }) => message || 'Provisioning started'),
        'Provision failed',
      )
    },
    remove: async () => {
      const id = askForId()
      if (id === undefined || !dialogs.confirm('Start deletion workflow?')) return
      const started = client.call('clusters.startDeletion', { params: { id } })
      await tell(
        started.then(({ message }) => message || 'Deletion started'),
        'Deletion failed',
      )
    },
    checkStatus: async () => {
      const id = askForId()
      if (id === undefined) return
      const status = client.call('clusters.status', { params: { id } })
      await tell(
        status.then((answer) => JSON.stringify(answer, null, 2)),
        'Status fetch failed',
      )
    },
  }
}
