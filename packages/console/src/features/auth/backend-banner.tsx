import type { BackendConnection } from '../../data/health.ts'
import { StatusMark } from '../../ui/status-mark.tsx'

/** Shown above the form while the server does not answer. */
export function BackendBanner({ connection }: { connection: BackendConnection }) {
  return (
    <div role="alert">
      {connection === 'disconnected' ? (
        <div className="mb-5 flex gap-2.5 rounded-control bg-danger-soft px-3 py-2 text-danger">
          <span className="flex h-5 items-center">
            <StatusMark glyph="triangle" />
          </span>
          <p>Cannot connect to backend server. Please ensure the server is running.</p>
        </div>
      ) : null}
    </div>
  )
}
