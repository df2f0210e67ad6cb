package io.lifespan.otel;

/**
 * Why events were lost, and what would have prevented it.
 *
 * @param text the cause, without a full stop
 * @param setting the setting to raise
 * @param value its present value
 * @param unit of the value, with a blank before it; empty if it has none
 */
public record LossCause(String text, String setting, long value, String unit) {}
