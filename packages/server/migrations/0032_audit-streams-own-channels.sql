CREATE TABLE "audit_streams" (
	"organization_id" integer NOT NULL,
	"webhook_id" uuid NOT NULL,
	"classes" text[] NOT NULL,
	"position" bigint NOT NULL,
	"delivery_id" uuid,
	"delivery_through" bigint,
	CONSTRAINT "audit_streams_organization_id_webhook_id_pk" PRIMARY KEY("organization_id","webhook_id")
);
--> statement-breakpoint
ALTER TABLE "audit_streams" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notification_channels" DROP CONSTRAINT "notification_channels_name_key";--> statement-breakpoint
ALTER TABLE "audit_verifications" ADD COLUMN "notified_position" bigint;--> statement-breakpoint
ALTER TABLE "notification_channels" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "audit_streams" ADD CONSTRAINT "audit_streams_webhook_fk" FOREIGN KEY ("organization_id","webhook_id") REFERENCES "public"."webhooks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_channels_user_idx" ON "notification_channels" USING btree ("organization_id","user_id");--> statement-breakpoint
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_name_key" UNIQUE NULLS NOT DISTINCT("organization_id","user_id","name");--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_streams" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_streams" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);