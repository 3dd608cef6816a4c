CREATE TABLE "secret_shares" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"secret_id" uuid,
	"ciphertext" text,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"opened_ip" text,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "secret_shares_ciphertext_fits" CHECK (coalesce(length("secret_shares"."ciphertext"), 0) <= 140000),
	CONSTRAINT "secret_shares_spent_is_wiped" CHECK (("secret_shares"."opened_at" is null and "secret_shares"."revoked_at" is null) or "secret_shares"."ciphertext" is null)
);
--> statement-breakpoint
ALTER TABLE "secret_shares" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "rotation" jsonb;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "next_rotation_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "expiry_notice_for" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "expiry_notice_days" integer;--> statement-breakpoint
ALTER TABLE "secret_shares" ADD CONSTRAINT "secret_shares_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_shares" ADD CONSTRAINT "secret_shares_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secret_shares" ADD CONSTRAINT "secret_shares_organization_id_secret_id_secrets_organization_id_id_fk" FOREIGN KEY ("organization_id","secret_id") REFERENCES "public"."secrets"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "secret_shares_list_idx" ON "secret_shares" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "secret_shares_secret_idx" ON "secret_shares" USING btree ("organization_id","secret_id");--> statement-breakpoint
CREATE INDEX "secret_shares_expires_at_idx" ON "secret_shares" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "secret_shares_created_by_idx" ON "secret_shares" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "secrets_next_rotation_at_idx" ON "secrets" USING btree ("next_rotation_at") WHERE "secrets"."next_rotation_at" is not null;--> statement-breakpoint
CREATE INDEX "secrets_expiry_idx" ON "secrets" USING btree ("expires_at") WHERE "secrets"."expires_at" is not null;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_rotation_has_its_time" CHECK (("secrets"."rotation" is null) = ("secrets"."next_rotation_at" is null));--> statement-breakpoint
CREATE POLICY "tenant" ON "secret_shares" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "secret_shares" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);