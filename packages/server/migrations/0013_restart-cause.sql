ALTER TABLE "clusters" ADD COLUMN "restarted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "clusters" ADD COLUMN "restart_reason" text;