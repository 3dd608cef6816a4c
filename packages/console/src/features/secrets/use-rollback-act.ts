import type { SecretDetail } from '@bey/contract'
import { useRollback } from '../../data/secrets.ts'
import { toast } from '../../ui/toast.ts'

/** Goes back to an older value and says so. */
export function useRollbackAct(secret: SecretDetail, onDone: () => void) {
  const { mutate, isPending, error } = useRollback(secret.id)
  return {
    isPending,
    error,
    run: (version: number, reason: string) =>
      mutate(
        { version, reason },
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
