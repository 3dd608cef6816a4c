import {
  Ban,
  Bug,
  CalendarOff,
  CalendarSync,
  ChevronsUpDown,
  CircleCheck,
  Container,
  Expand,
  LogOut,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Tags,
  Trash,
  Undo2,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ActionId } from './action.ts'

const icons: Readonly<Record<ActionId, LucideIcon>> = {
  scale: ChevronsUpDown,
  restart: RotateCw,
  pause: Pause,
  resume: Play,
  rollback: Undo2,
  'set-image': Container,
  labels: Tags,
  cordon: Ban,
  uncordon: CircleCheck,
  drain: LogOut,
  evict: LogOut,
  debug: Bug,
  trigger: Play,
  suspend: CalendarOff,
  unsuspend: CalendarSync,
  retry: RotateCcw,
  expand: Expand,
  delete: Trash,
}

export function ActionIcon({ id, size = 14 }: { id: ActionId; size?: number }) {
  const Shape = icons[id]
  return <Shape size={size} aria-hidden className="shrink-0" />
}
