ALTER TABLE "network_policies" ADD COLUMN "kind" text DEFAULT 'NetworkPolicy' NOT NULL;--> statement-breakpoint
ALTER TABLE "networks" ADD COLUMN "policy_kind" text DEFAULT 'NetworkPolicy' NOT NULL;