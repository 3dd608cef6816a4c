ALTER TABLE "clusters" ADD COLUMN "kube_system_uid" text;--> statement-breakpoint
ALTER TABLE "clusters" ADD COLUMN "replaced_at" timestamp (3) with time zone;