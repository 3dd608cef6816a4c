import type { SecretDetail } from '@bey/contract'
import { toast } from '../../ui/toast.ts'
import { useChange } from '../../data/use-change.ts'

/** Goes back to an older value and says so. */
export function useRollbackAct(secret: SecretDetail, onDone: () => void) {
  const { mutate, isPending, error } = useChange('secrets.rollback')
  return {
    isPending,
    error,
    run: (version: number, reason: string) =>
      mutate(
        { params: { id: secret.id, version }, body: { reason } },
        {
          onSuccess: ({ currentVersion }) => {
            toast(
              'success',
              `${secret.name} has the value of version ${version} again, as version ${currentVersion}`,
            )
            onDone()
          },
        },
      ),
  }
}
