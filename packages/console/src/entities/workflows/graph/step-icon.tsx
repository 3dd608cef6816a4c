import {
  BellRing,
  Box,
  Boxes,
  Braces,
  CircleStop,
  Clock,
  Cloud,
  Code,
  Container,
  Database,
  FileCode,
  Globe,
  Hand,
  Hourglass,
  KeyRound,
  PackageCheck,
  Radio,
  Send,
  Server,
  ServerOff,
  Square,
  Terminal,
  Trash2,
  Webhook,
  Workflow,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

// Types of steps name their icons; only those named here reach the browser.
const icons: Readonly<Record<string, LucideIcon>> = {
  'bell-ring': BellRing,
  box: Box,
  boxes: Boxes,
  braces: Braces,
  'circle-stop': CircleStop,
  clock: Clock,
  cloud: Cloud,
  code: Code,
  container: Container,
  database: Database,
  'file-code': FileCode,
  globe: Globe,
  hand: Hand,
  hourglass: Hourglass,
  'key-round': KeyRound,
  'package-check': PackageCheck,
  radio: Radio,
  send: Send,
  server: Server,
  'server-off': ServerOff,
  terminal: Terminal,
  'trash-2': Trash2,
  webhook: Webhook,
  workflow: Workflow,
}

/** The icon that a type of step names; a square for one that this console does not know yet. */
export function StepIcon({ name, size = 14 }: { name: string | undefined; size?: number }) {
  const Icon = (name === undefined ? undefined : icons[name]) ?? Square
  return <Icon size={size} aria-hidden className="shrink-0" />
}
