ALTER TABLE "clusters" ADD COLUMN "description" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "clusters" ADD COLUMN "labels" jsonb DEFAULT '{}'::jsonb NOT NULL;