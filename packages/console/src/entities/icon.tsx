import {
  Bell,
  Boxes,
  Bug,
  ChartLine,
  CircleUser,
  Container,
  Database,
  DatabaseZap,
  Gauge,
  KeyRound,
  Layers,
  LayoutDashboard,
  MessageSquare,
  Network,
  Play,
  RadioTower,
  Settings,
  Shield,
  Square,
  Webhook,
  Workflow,
  Zap,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

// The catalogue, the descriptors and the sidebar's settings name icons; only those named here reach the browser.
const icons: Readonly<Record<string, LucideIcon>> = {
  bell: Bell,
  boxes: Boxes,
  bug: Bug,
  'chart-line': ChartLine,
  'circle-user': CircleUser,
  container: Container,
  database: Database,
  'database-zap': DatabaseZap,
  gauge: Gauge,
  'key-round': KeyRound,
  layers: Layers,
  'layout-dashboard': LayoutDashboard,
  'message-square': MessageSquare,
  network: Network,
  play: Play,
  'radio-tower': RadioTower,
  settings: Settings,
  shield: Shield,
  webhook: Webhook,
  workflow: Workflow,
  zap: Zap,
}

/** An icon by its name, as services and types of entities name theirs. */
export function Icon({ name, size = 16 }: { name: string; size?: number }) {
  const Shape = icons[name] ?? Square
  return <Shape size={size} strokeWidth={1.75} aria-hidden className="shrink-0" />
}
