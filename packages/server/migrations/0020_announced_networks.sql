ALTER TABLE "networks" ADD COLUMN "announced" text;
