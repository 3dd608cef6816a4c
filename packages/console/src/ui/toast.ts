export type ToastType = 'success' | 'info' | 'warning' | 'error' | 'loading' | 'default'

export interface ToastOptions {
  /** A second line: the cause. */
  description?: string
  /** Id of the request that failed; copied with the error. */
  requestId?: string
  /** The page that it is about, if that is not the page on which it is shown. */
  href?: string
  /** A toast with the same id replaces the earlier one. */
  id?: string
}

export interface ToastMessage extends ToastOptions {
  type: ToastType
  text: string
  at: Date
}

const shown = channel<ToastMessage>()
const recorded = channel<ToastMessage>()
const closed = channel<ToastMessage>()
let watcher: ((message: ToastMessage) => void) | undefined

/** Says something that the screen itself does not show. Errors stay until closed, the rest 4 s. */
export function toast(type: ToastType, text: string, options: ToastOptions = {}): void {
  const message = { ...options, type, text, at: new Date() }
  watcher?.(message)
  shown.send(message)
  recorded.send(message)
}

/** For the toaster alone: receives every toast, first those that waited. Returns the way to stop. */
export const listenForToasts = shown.listen
/** For the recorder: the same toasts again. */
export const listenForShown = recorded.listen
/** The user closed a toast, so it was read; a toast that timed out may not have been. */
export const toastClosed = closed.send
export const listenForClosed = closed.listen

/** Sees every toast from now on, without showing it. */
export function watchToasts(next: (message: ToastMessage) => void): void {
  watcher = next
}

const maxWaiting = 20

/** One listener, lazily loaded; what is sent before it listens waits, the oldest going first. */
function channel<T>() {
  const waiting: T[] = []
  let listener: ((value: T) => void) | undefined
  return {
    send(value: T) {
      if (listener) return listener(value)
      waiting.push(value)
      if (waiting.length > maxWaiting) waiting.shift()
    },
    listen(next: (value: T) => void) {
      listener = next
      for (const value of waiting.splice(0)) next(value)
      return () => {
        if (listener === next) listener = undefined
      }
    },
  }
}
