export type ToastType = 'success' | 'info' | 'warning' | 'error' | 'loading' | 'default'

export interface ToastOptions {
  /** A second line: the cause. */
  description?: string
  /** A toast with the same id replaces the earlier one. */
  id?: string
}

export interface ToastMessage extends ToastOptions {
  type: ToastType
  text: string
}

type Listener = (message: ToastMessage) => void

// Toasts raised before the lazily loaded toaster stands wait here.
const waiting: ToastMessage[] = []
let listener: Listener | undefined

/** Says something that the screen itself does not show. Errors stay until closed, the rest 4 s. */
export function toast(type: ToastType, text: string, options: ToastOptions = {}): void {
  const message = { ...options, type, text }
  if (listener) listener(message)
  else waiting.push(message)
}

/** For the toaster alone: receives every toast, first those that waited. Returns the way to stop. */
export function listenForToasts(next: Listener): () => void {
  listener = next
  for (const message of waiting.splice(0)) next(message)
  return () => {
    if (listener === next) listener = undefined
  }
}
