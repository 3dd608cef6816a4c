import { toastCause } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'

/** Runs what a result of the palette does. An action that throws is reported in a toast with its cause. */
export function runAction(action: () => void): void {
  try {
    action()
  } catch (error) {
    toast('error', 'Action failed', toastCause(error))
  }
}
