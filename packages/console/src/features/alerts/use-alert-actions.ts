import { deniedReason } from '@bey/contract'
import type { Alert } from '../../data/alerts.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'

/** What can be done with an alert at once, each with the reason where it cannot. */
export function useAlertActions(alert: Alert) {
  const stale = useStaleReason()
  const role = useRole()
  const acknowledge = useChange('alerts.acknowledge')
  const unsilence = useChange('alerts.unsilence')
  const test = useChange('alerts.test')
  const input = { params: { id: alert.id } }
  const denied = deniedReason(role, 'alerts.update') ?? stale
  const nothing = alert.firingCount === 0 ? 'Nothing fires, so there is nothing to take over' : undefined
  const fail = (title: string) => (error: unknown) => {
    const { title: text, detail } = errorText(title, error)
    toast('error', text, detail === undefined ? {} : { description: detail })
  }
  return {
    updateReason: denied,
    deleteReason: deniedReason(role, 'alerts.delete') ?? stale,
    acknowledge: {
      disabledReason: denied ?? nothing,
      isRunning: acknowledge.isPending,
      run: () => acknowledge.mutate(input, { onError: fail('The alert was not taken over') }),
    },
    unsilence: {
      disabledReason: denied,
      isRunning: unsilence.isPending,
      run: () => unsilence.mutate(input, { onError: fail('The silence was not ended') }),
    },
    test: {
      disabledReason: denied,
      run: () =>
        test.mutate(input, {
          onSuccess: ({ names }) =>
            toast(
              'success',
              `Sent to ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`,
            ),
          onError: fail('The test was not sent'),
        }),
    },
  }
}
