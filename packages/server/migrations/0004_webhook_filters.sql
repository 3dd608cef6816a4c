ALTER TABLE "webhook_deliveries" ADD COLUMN "names" json;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "statuses" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "workflow_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "cluster_ids" integer[] DEFAULT '{}' NOT NULL;