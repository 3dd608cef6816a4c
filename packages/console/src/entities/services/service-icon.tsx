import {
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
  Network,
  RadioTower,
  Settings,
  Shield,
  Square,
  Workflow,
  Zap,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

// The catalogue and the sidebar's settings name icons; only those named here reach the browser.
const icons: Readonly<Record<string, LucideIcon>> = {
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
  network: Network,
  'radio-tower': RadioTower,
  settings: Settings,
  shield: Shield,
  workflow: Workflow,
  zap: Zap,
}

export function ServiceIcon({ name, size = 16 }: { name: string; size?: number }) {
  const Icon = icons[name] ?? Square
  return <Icon size={size} strokeWidth={1.75} aria-hidden className="shrink-0" />
}
