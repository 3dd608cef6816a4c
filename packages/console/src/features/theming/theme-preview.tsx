import { Search } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Status } from '../../ui/status.tsx'

const rows = [
  { name: 'api-gateway', status: 'running', restarts: '0', isSelected: true },
  { name: 'checkout', status: 'creating', restarts: '1', isSelected: false },
  { name: 'search-index', status: 'failed', restarts: '14', isSelected: false },
] as const

/**
 * A piece of the console made of its own parts, to judge a theme by. Nothing in it acts. On narrow screens, where it
 * stays in sight above what one changes, it is cut down to what says most.
 */
export function ThemePreview() {
  return (
    <div inert className="overflow-hidden rounded-card border border-line bg-bg">
      <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-2.5">
        <span className="flex items-center gap-2 text-lead font-semibold">
          Workloads <Badge>Sandbox</Badge>
        </span>
        <Button variant="primary" size="small">
          Create
        </Button>
      </div>
      <div className="flex flex-col gap-3 bg-sunken px-3 py-3 max-xl:py-2">
        <div className="max-xl:hidden">
          <Input
            aria-label="Filter"
            icon={<Search size={14} aria-hidden />}
            placeholder="Filter workloads"
            controlSize="small"
            className="outline-2 outline-offset-1 outline-ring"
          />
        </div>
        <div className="overflow-hidden rounded-control border border-line bg-bg">
          {rows.map((row) => (
            <div
              key={row.name}
              className={`flex h-9 items-center gap-3 border-b border-line px-2.5 last:border-b-0 max-xl:nth-2:hidden dense:h-7 ${row.isSelected ? 'bg-accent-soft' : ''}`}
            >
              <span className="min-w-0 flex-1 truncate font-medium">{row.name}</span>
              <span className="w-20 text-text-2">
                <Status status={row.status} />
              </span>
              <span className="w-6 text-right text-text-2 tabular-nums">{row.restarts}</span>
            </div>
          ))}
        </div>
        <div className="max-xl:hidden">
          <Meter label="CPU" used={5.2} total={8} format={(cores) => `${cores}`} />
        </div>
      </div>
      <div className="border-t border-line bg-overlay px-3 py-2.5 max-xl:hidden">
        <p className="font-medium">The cluster was created.</p>
        <p className="text-text-2">
          Three nodes are ready. <span className="text-accent-text underline">Show the run</span>
        </p>
        <p className="mt-0.5 text-small text-text-3">2 min ago</p>
        <div className="mt-2.5 flex gap-2">
          <Button size="small">Cancel</Button>
          <Button size="small" variant="danger">
            Delete
          </Button>
        </div>
      </div>
    </div>
  )
}
