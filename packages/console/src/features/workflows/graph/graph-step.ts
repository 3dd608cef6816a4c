import type { ReactNode } from 'react'

/** A step as a graph of steps knows it. */
export interface GraphStep {
  key: string
  /** Steps of one type are drawn together where there are too many to draw each. */
  type: string
  /** Keys of the steps that it waits for. */
  needs: readonly string[]
}

/** What is drawn as one box: a step, or several steps of one type. */
export interface GraphNode {
  id: string
  type: string
  /** Keys of its steps: one, unless the graph is collapsed. */
  members: readonly string[]
}

export interface GraphEdge {
  from: string
  to: string
}

export interface Graph {
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
  /** Whether steps are drawn together. */
  isCollapsed: boolean
}

/** How a node looks; its steps decide. */
export interface NodeLook {
  title: string
  /** The second line: type and guarantee, duration, why it was skipped. */
  detail: string
  icon: ReactNode
  /** `plain` has a border only; `quiet` is not begun; colours are for exceptions and for what is under way. */
  tone: 'plain' | 'quiet' | 'info' | 'warn' | 'danger'
  /** Skipped. */
  isDashed?: boolean
  /** 0 to 100: a bar at the lower edge. */
  progressPercent?: number
  /** At the end of the node: a mark of a problem. */
  mark?: ReactNode
}

/** How an edge looks; a plain line where nothing is given. */
export interface EdgeLook {
  /** Followed only under a condition. */
  isDashed?: boolean
  /** Already followed. */
  isStrong?: boolean
  label?: string
}

/** Where the steps that follow stand: below, or to the right. */
export type Direction = 'down' | 'right'

/** Size of every node, in px. */
export const nodeSize = { width: 224, height: 46 } as const
